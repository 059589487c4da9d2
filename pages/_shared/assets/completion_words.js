// The words that the editors offer while somebody types; drawn apart from them, so that a key does not send them again.
export default function ({ data }) {
  globalThis.re2nnWords = data.split("\n").filter(Boolean).map((line) => {
    const [name, count] = line.split("\t");
    return { name, note: `${Number(count).toLocaleString("en")} in the texts` };
  });
}
