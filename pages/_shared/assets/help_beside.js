// The help is a panel beside the page: what Streamlit locks behind a dialog can be clicked and scrolled, and a click
// there does what it says, and does not just close the panel. The attribute is react-aria's, whose dialog this is.
const CLOSE = "[role=dialog] button[aria-label=Close]";
const OWN_ESCAPE = "input, textarea, [role=combobox], [role=dialog] *"; // they use the key for something else

function close(event) {
  if (event.key === "Escape" && !event.target.closest?.(OWN_ESCAPE)) document.querySelector(CLOSE)?.click();
}

export default function () {
  const page = document.getElementById("root");
  page.removeAttribute("inert");
  page.dataset.reactAriaTopLayer = "true";
  window.addEventListener("keydown", close);
  return () => {
    delete page.dataset.reactAriaTopLayer;
    window.removeEventListener("keydown", close);
  };
}
