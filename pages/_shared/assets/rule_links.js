// A link to a rule leads there within the session, whose unsaved edits stay; with a key held down, or by another button,
// the browser opens it as it opens any link. The link may be in a component: its root lets clicks through.
function follow(event) {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.composedPath().find((element) => element.matches?.("a.re2-rule-link"));
  if (!link) return;
  event.preventDefault();
  window.re2nnRuleLinks.setTriggerValue("to", { href: link.getAttribute("href"), nonce: Date.now() });
}

export default function (component) {
  if (!window.re2nnRuleLinks) window.addEventListener("click", follow);
  window.re2nnRuleLinks = component;
}
