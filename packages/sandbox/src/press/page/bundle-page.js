/* Runs in the page, in a world of its own: returns the page as one file. What was not loaded to show it is left out. */
async () => {
  const mostBytes = 40 * 1024 * 1024;
  const loaded = new Set(performance.getEntriesByType('resource').map(({ name }) => name.split('#')[0]));
  /* The browser remembers a limited number. */
  const isAllKnown = loaded.size < 200;
  const known = new Map();
  let bytes = 0;
  const inline = async (address, base) => {
    if (address.startsWith('data:') || address.startsWith('#')) return address;
    const url = new URL(address, base).href.split('#')[0];
    if (!url.startsWith(`${location.origin}/`) || (isAllKnown && !loaded.has(url))) return '';
    if (!known.has(url)) {
      const blob = await fetch(url).then((reply) => (reply.ok ? reply.blob() : null), () => null);
      bytes += blob?.size ?? 0;
      if (!blob || bytes > mostBytes) return '';
      known.set(url, await new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(blob);
      }));
    }
    return known.get(url);
  };
  const inlineAll = async (css, base) => {
    const found = [...new Set([...css.matchAll(/url\(\s*(["']?)([^"')]+)\1\s*\)/g)].map(([whole, , address]) => `${whole}\n${address}`))];
    let text = css;
    for (const pair of found) {
      const [whole, address] = pair.split('\n');
      text = text.replaceAll(whole, `url("${await inline(address, base)}")`);
    }
    return text;
  };
  const write = async (sheet, base) => {
    let css = '';
    for (const rule of sheet.cssRules) {
      if (rule.styleSheet) css += await write(rule.styleSheet, rule.styleSheet.href ?? base);
      else {
        const text = await inlineAll(rule.cssText, sheet.href ?? base);
        if (!(rule.type === 5 && /src:\s*url\(""\)/.test(text))) css += `${text}\n`;
      }
    }
    return css;
  };
  const copy = document.documentElement.cloneNode(true);
  const sheets = [...document.styleSheets];
  let css = '';
  for (const sheet of sheets) {
    try {
      css += await write(sheet, location.href);
    } catch {}
  }
  for (const one of copy.querySelectorAll('script, style, link[rel~=stylesheet], link[rel~=preload], link[rel~=modulepreload], base')) one.remove();
  for (const one of copy.querySelectorAll('*')) {
    for (const { name } of [...one.attributes]) if (/^on/i.test(name)) one.removeAttribute(name);
    if (one.hasAttribute('style')) one.setAttribute('style', await inlineAll(one.getAttribute('style'), location.href));
    for (const name of ['src', 'poster']) if (one.hasAttribute(name)) one.setAttribute(name, await inline(one.getAttribute(name), location.href));
    one.removeAttribute('srcset');
  }
  const style = document.createElement('style');
  style.textContent = css.replaceAll('</style', '<\\/style');
  (copy.querySelector('head') ?? copy).append(style);
  return `<!doctype html>\n${copy.outerHTML}\n`;
}
