/* Runs in the page, in a world of its own: prepares its notes to stand at the foot of the pages, or returns null if they cannot. */
({ top, below, known }) => {
  const sections = [...document.querySelectorAll('.footnotes:not(.at-end)')];
  const items = sections.flatMap((one) => [...one.querySelectorAll('li[id]')]);
  if (items.length === 0 || items.length > 500) return null;
  const main = document.querySelector('main');
  const isOutside = (link) => !sections.some((one) => one.contains(link));
  const refs = items.map(({ id }) => [...document.querySelectorAll(`a[href="#${CSS.escape(id)}"]`)].find(isOutside));
  if (refs.some((one) => !one)) return null;
  const host = main && refs.every((one) => main.contains(one)) && sections.every((one) => main.contains(one)) ? main : document.body;
  const own = getComputedStyle(host);
  if (!/^(block|flow-root)$/.test(own.display) || own.columnCount !== 'auto' || own.position === 'absolute') return null;

  /* Floats could not stand higher than the places that are kept free, and content that clears them would stand below all of them. */
  const isApart = ({ display, overflowX, position, contain }) =>
    /flex|grid|table|inline-block|flow-root/.test(display) || /hidden|auto|scroll|clip/.test(overflowX) || /absolute|fixed/.test(position) || /layout|content|strict/.test(contain);
  const visit = (element) => {
    for (const child of element.children) {
      const style = getComputedStyle(child);
      if (style.display === 'none') continue;
      if (style.float !== 'none' || style.clear !== 'none') return false;
      if (style.page !== 'auto' && style.page !== own.page && !known.includes(style.page) && host.contains(child)) return false;
      if (!isApart(style) && !visit(child)) return false;
    }
    return true;
  };
  if (!visit(host)) return null;

  /* So that it can be taken back. */
  const keep = (...elements) => elements.forEach((one) => (one.dataset.pressStyle ??= one.getAttribute('style') ?? ''));
  keep(host, host.firstElementChild, ...sections, ...sections.flatMap((one) => [...one.children]), ...items, ...items.flatMap((one) => [...one.querySelectorAll('a')]));
  for (const one of sections) {
    one.style.cssText += ';margin:0!important;padding:0!important;border:0!important;position:static!important';
    for (const child of one.children) {
      if (/^(OL|UL)$/.test(child.tagName)) child.style.cssText += ';margin:0!important;padding:0!important;position:static!important';
      else child.style.setProperty('display', 'none', 'important');
    }
  }
  /* Contents do not list a section that is on every page. */
  const listed = new Set(sections.flatMap((one) => [one.id, ...[...one.querySelectorAll('h1, h2, h3, h4')].map(({ id }) => id)]));
  for (const number of document.querySelectorAll('[data-page-of]')) {
    const entry = number.closest('li');
    if (!entry || !listed.has(number.dataset.pageOf) || entry.querySelector('ol, ul')) continue;
    keep(entry);
    entry.style.setProperty('display', 'none', 'important');
  }
  host.style.setProperty('position', 'relative', 'important');
  items.forEach((item, at) => {
    item.style.cssText += ';position:absolute!important;inset-inline:1.7em 0!important;margin:0!important';
    /* The reference is on the same page. */
    for (const link of item.querySelectorAll('a[href^="#"]')) if (link.getAttribute('href') === `#${refs[at].id}` || link.getAttribute('href') === `#${refs[at].parentElement.id}`) link.style.setProperty('display', 'none', 'important');
  });
  const heights = items.map((item) => item.getBoundingClientRect().height);

  /* The browser writes the place of what a link leads to. */
  const links = document.createElement('nav');
  links.className = 'press-links';
  links.style.setProperty('display', 'none', 'important');
  const nameIt = (element, name) => {
    if (!element.id) element.id = name;
    const link = document.createElement('a');
    link.href = `#${element.id}`;
    links.append(link);
    return element.id;
  };
  const addProbe = (name, down) => {
    const probe = document.createElement('i');
    probe.className = name;
    probe.style.cssText = `position:absolute;top:${down}px;height:0;width:0`;
    host.append(probe);
    return nameIt(probe, name);
  };
  const named = refs.map((ref, at) => nameIt(ref, `press-ref-${at}`));
  const headings = [...host.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((one) => isOutside(one) && one.nextElementSibling && one.getClientRects().length > 0);
  /* A block begins where the one before it ends, also if its first line had to go to the next page: the line is looked for. */
  const markLine = (block, name) => {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, ({ data }) => (data.trim() === '' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    const text = walker.nextNode();
    if (!text) return nameIt(block, name);
    const mark = document.createElement('span');
    mark.className = 'press-links';
    text.before(mark);
    return nameIt(mark, name);
  };
  const pairs = headings.slice(0, 400).map((one, at) => [nameIt(one, `press-head-${at}`), markLine(one.nextElementSibling, `press-next-${at}`)]);
  addProbe('press-top', top);
  addProbe('press-below', below);
  document.body.append(links);

  /* What is put before the first element must not change what it is. */
  const first = host.firstElementChild;
  first.style.setProperty('margin-top', getComputedStyle(first).marginTop, 'important');
  return { refs: named, heights, pairs, marginEm: parseFloat(getComputedStyle(items[0]).fontSize) };
}
