// The key ? opens the help, unless something is being typed (guide.py).
const TYPED_IN = "input, textarea, select, [contenteditable=true], [contenteditable=''], [role=dialog] *";

function open(event) {
  if (event.key !== "?" || event.defaultPrevented || event.target.closest?.(TYPED_IN)) return;
  const button = document.querySelector(".st-key-help_open button");
  if (!button) return;
  event.preventDefault();
  button.click();
}

export default function () {
  if (window.re2nnHelpKey) return;
  window.re2nnHelpKey = true;
  window.addEventListener("keydown", open);
}
