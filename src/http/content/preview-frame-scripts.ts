/**
 * Shows the page sent by its frame's owner, and does nothing on its own. Active content is removed, and the frame's policy blocks all
 * scripts but this one. Links open in a new tab; keys go to the owner. With `slide`, a page whose `main` is a row of sections with a stage
 * each is shown one section at a time, 1280 by 720 pixels, and its outline is reported.
 */
export const stillFrameScript = `const active = 'script, iframe, object, embed, form, base, meta, link, portal, noscript';
const alone = 'html,body{margin:0!important;overflow:hidden!important}main{display:block!important;padding:0!important}'
  + 'section{display:block!important;transform:none!important;width:1280px;height:720px;overflow:hidden}aside,nav{display:none!important}';
let page = null;
const sectionsOf = (root) => [...root.querySelectorAll('main > section')];
const show = (root) => document.documentElement.replaceWith(document.importNode(root, true));
function read(html) {
  page = new DOMParser().parseFromString(html, 'text/html');
  for (const element of page.querySelectorAll(active)) element.remove();
  for (const link of page.querySelectorAll('a')) link.removeAttributeNS('http://www.w3.org/1999/xlink', 'href');
}
function tellOutline() {
  const sections = sectionsOf(page);
  const isDeck = sections.length > 0 && sections.every((section) => section.querySelector(':scope > .stage'));
  const outline = sections.slice(0, 300).map((section) => ({
    title: (section.getAttribute('aria-label') || section.querySelector('h2')?.textContent || '').trim().slice(0, 200),
    notes: (section.querySelector('aside')?.textContent || '').trim().slice(0, 20000),
  }));
  parent.postMessage({ outline: isDeck ? outline : [] }, '*');
}
function showSlide(index) {
  const root = page.documentElement.cloneNode(true);
  sectionsOf(root).forEach((section, at) => { if (at !== index) section.remove(); });
  const style = page.createElement('style');
  style.textContent = alone;
  root.append(style);
  show(root);
}
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'object' || data === null) return;
  if (typeof data.html === 'string') {
    read(data.html);
    if (typeof data.slide === 'number') tellOutline();
    else show(page.documentElement);
  }
  if (typeof data.slide === 'number' && page) showSlide(data.slide);
});
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href], area[href]');
  if (!link || link.getAttribute('href').startsWith('#')) return;
  event.preventDefault();
  if (/^(https?|mailto):/i.test(link.href)) open(link.href, '_blank', 'noopener,noreferrer');
}, true);
addEventListener('submit', (event) => event.preventDefault(), true);
addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (!ctrlKey && !metaKey && !altKey) parent.postMessage({ key }, '*');
});
parent.postMessage({ room: 'ready' }, '*');`;

/** Becomes the page that is sent, with its scripts but without redirects. A person requests it after a warning. */
export const liveFrameScript = `addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.html !== 'string') return;
  const page = new DOMParser().parseFromString(data.html, 'text/html');
  for (const element of page.querySelectorAll('base, meta[http-equiv], link')) element.remove();
  document.open();
  document.write('<!doctype html>' + page.documentElement.outerHTML);
  document.close();
});
parent.postMessage({ room: 'ready' }, '*');`;
