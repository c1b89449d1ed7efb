// Runs in the page: the texts whose contrast with what is painted behind them is below 4.5 : 1 (WCAG AA).
(() => {
  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const linear = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const backgroundOf = (element) => {
    if (!element) return 'rgb(255, 255, 255)';
    const color = getComputedStyle(element).backgroundColor;
    return channels(color)[3] === 0 ? backgroundOf(element.parentElement) : color;
  };
  const isDrawn = (element) => element.tagName === 'text';
  const behind = (element) => {
    const box = isDrawn(element) && element.parentElement.querySelector(':scope > rect.box');
    return box ? getComputedStyle(box).fill : backgroundOf(element);
  };
  const contrast = (element) => {
    const style = getComputedStyle(element);
    const values = [luminance(isDrawn(element) ? style.fill : style.color), luminance(behind(element))];
    return (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05);
  };
  const hasText = ({ childNodes, tagName }) =>
    tagName !== 'title' && [...childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const texts = [...document.querySelectorAll('body *')].filter(hasText);
  return { checked: texts.length, faint: texts.filter((text) => contrast(text) < 4.5).map(({ textContent }) => textContent) };
})();
