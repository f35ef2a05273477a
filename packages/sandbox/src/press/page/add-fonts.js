/* Runs in the page, in a world of its own, once it has loaded: adds the fonts of the service for its Chinese, Japanese, and Korean characters. */
/* Returns whether it has added one. */
async ({ path, packages }) => {
  if (!document.head) return false;
  const text = document.documentElement.textContent ?? '';
  const language = document.documentElement.lang.toLowerCase();
  const [hasHan, hasKana, hasHangul] = [/[\u2e80-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]|[\ud840-\ud8ff]/, /[\u3040-\u30ff\uff61-\uff9f]/, /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/].map((each) => each.test(text));
  const isJapanese = hasKana || language.startsWith('ja');
  const isTraditional = /^zh-(hant|tw|hk|mo)/.test(language);
  const wanted = {
    'noto-sans-kr': hasHangul || (hasHan && language.startsWith('ko')),
    'noto-sans-jp': (hasHan || hasKana) && isJapanese,
    'noto-sans-tc': hasHan && isTraditional,
    /* It also has what the others lack. */
    'noto-sans-sc': hasHan || hasKana,
  };
  const hrefOf = (name) => `/${path}${name}/index.css`;
  const isThere = (name) => [...document.head.querySelectorAll('link')].some((link) => link.getAttribute('href') === hrefOf(name));
  const add = (name) =>
    new Promise((resolve) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.onload = link.onerror = resolve;
      link.href = hrefOf(name);
      document.head.append(link);
    });
  const names = packages.filter((name) => wanted[name] && !isThere(name));
  if (names.length === 0) return false;
  await Promise.all(names.map(add));
  /* Text asks for its fonts when it is laid out. */
  document.documentElement.getBoundingClientRect();
  await document.fonts.ready;
  return true;
};
