// What is drawn anew with each key: it hands itself to its script, which the browser is given once a page.
export default function (component) {
  let leave = null;
  const attach = () => {
    if (component.parentElement.isConnected) leave = window.re2nnScripts[NAME](component);
  };
  if (window.re2nnScripts?.[NAME]) attach();
  else window.addEventListener(`re2nn-${NAME}`, attach, { once: true });
  return () => {
    window.removeEventListener(`re2nn-${NAME}`, attach);
    leave?.();
  };
}
