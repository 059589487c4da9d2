// The help is a panel beside the page: what Streamlit locks behind a dialog can be clicked and scrolled, and one click
// on the navigation goes there.
export default function () {
  document.getElementById("root")?.removeAttribute("inert");
}
