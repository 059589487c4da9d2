// The words that the editors offer while somebody types; drawn apart from them, so that a key does not send them again.
// One a line, a tab, its count; those with capital letters behind an empty line.
export default function ({ data }) {
  const [words, spelt] = data.split("\n\n").map((part) => part.split("\n").filter(Boolean).map((line) => {
    const [name, count] = line.split("\t");
    return { name, note: `${Number(count).toLocaleString("en")} in the texts` };
  }));
  globalThis.re2nnWords = words;
  globalThis.re2nnSpelt = spelt || [];
}
