// A field sends what is typed into it when it is left; a shortcut that saves would be quicker, and save without it.
window.re2nnCommitField ??= (event) => {
  const field = document.activeElement;
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s" || !field?.matches("input, textarea")) return;
  field.blur();
  field.focus({ preventScroll: true });
};

export default function () {
  window.addEventListener("keydown", window.re2nnCommitField, true); // the same listener is added once
}
