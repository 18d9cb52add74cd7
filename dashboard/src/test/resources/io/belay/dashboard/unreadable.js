// Texts whose contrast with what they stand on is below 4.5 to 1, as WCAG 2 reckons it.
const numbers = (color) => (color.match(/[\d.]+/g) || []).map(Number);
const light = (color) => {
  const [r, g, b] = numbers(color).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const color = getComputedStyle(one).backgroundColor;
    if (numbers(color)[3] !== 0) return color;
  }
  return "rgb(255, 255, 255)";
};
return [...document.body.querySelectorAll("*")]
  .filter((one) => one.checkVisibility() && !one.disabled && !(one instanceof SVGElement))
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()))
  .map((one) => {
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))].sort((x, y) => y - x);
    return [(a + 0.05) / (b + 0.05), one.textContent.trim().slice(0, 40)];
  })
  .filter(([ratio]) => ratio < 4.5)
  .map(([ratio, text]) => ratio.toFixed(2) + " " + text);
