// What can be used or looked at, and has no name that a screen reader could say.
const named = (one) => (one.labels && one.labels.length > 0) || one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.textContent.trim();
return [...document.querySelectorAll("input, button, a, dialog, section, [tabindex]")]
  .filter((one) => !named(one))
  .concat([...document.querySelectorAll("svg:not([aria-hidden=true])")])
  .concat([...document.querySelectorAll("[aria-labelledby], [aria-controls]")]
    .filter((one) => !document.getElementById(one.getAttribute("aria-labelledby") || one.getAttribute("aria-controls"))))
  .map((one) => one.outerHTML.slice(0, 80));
