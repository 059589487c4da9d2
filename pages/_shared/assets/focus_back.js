// A choice that is made gives the focus back to the page, so that the next key is the page's and not the list's. Who
// walks by Tab goes on from the same place.
const CHOSEN_BY_MOUSE = "[data-testid=stButtonGroup] button, [role=radio], input[type=radio], input[type=checkbox]";

function giveBack(element) {
  if (element === document.activeElement && !element.closest("[role=dialog]")) element.blur();
}

class FocusBack {
  constructor() {
    const closed = new MutationObserver((changes) => {
      for (const { target, oldValue } of changes) {
        if (oldValue === "true" && target.matches("[role=combobox][aria-expanded=false]")) giveBack(target);
      }
    });
    closed.observe(document.body, { subtree: true, attributeFilter: ["aria-expanded"], attributeOldValue: true });
    // A click that a key made says 0: whoever chooses by keys stays where they are.
    window.addEventListener("click", (event) => {
      if (event.detail) setTimeout(() => document.activeElement.matches(CHOSEN_BY_MOUSE) && giveBack(document.activeElement));
    }, true);
  }
}

window.re2nnFocusBack ??= new FocusBack();

export default () => {};
