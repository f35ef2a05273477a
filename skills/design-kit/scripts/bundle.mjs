// Puts everything a page needs into the page itself, so that it can be delivered as one file: styles, fonts that it uses, pictures,
// scripts of the workspace. Usage: node bundle.mjs PAGE.html OUT.html
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

const [source, target] = process.argv.slice(2);
if (!source || !target) {
  console.error('Usage: bundle.mjs PAGE.html OUT.html');
  process.exit(2);
}

const types = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
};
const missing = new Set();

function read(path) {
  if (existsSync(path)) return readFileSync(path);
  missing.add(path);
  return null;
}

function toData(path) {
  const bytes = read(path);
  return bytes && `data:${types[extname(path).toLowerCase()] ?? 'application/octet-stream'};base64,${bytes.toString('base64')}`;
}

const isLocal = (address) => !/^([a-z][\w+.-]*:|\/\/|#)/i.test(address);
const locate = (folder, address) => join(folder, decodeURIComponent(address.replace(/[?#].*$/, '')));

/** Whether a page with this text loads a font of this range. */
function needsRange(range, text) {
  const parts = range.split(',').map((part) =>
    part
      .trim()
      .replace(/^U\+/i, '')
      .split('-')
      .map((end) => Number.parseInt(end, 16)),
  );
  for (const character of text) {
    const code = character.codePointAt(0);
    if (parts.some(([first, last = first]) => code >= first && code <= last)) return true;
  }
  return false;
}

function inlineStyles(css, folder, keepsFace) {
  const imported = css.replace(/@import\s+(?:url\()?\s*["']?([^"')]+)["']?\s*\)?\s*;/g, (whole, address) => {
    if (!isLocal(address)) return whole;
    const path = locate(folder, address);
    const bytes = read(path);
    return bytes ? inlineStyles(bytes.toString(), dirname(path), keepsFace) : '';
  });
  const faces = imported.replace(/@font-face\s*\{[^}]*\}/g, (face) => (keepsFace(face) ? face : ''));
  return faces.replace(/url\(\s*["']?([^"')]+)["']?\s*\)/g, (whole, address) => {
    const data = isLocal(address) ? toData(locate(folder, address)) : null;
    return data ? `url("${data}")` : whole;
  });
}

const page = readFileSync(source, 'utf8');
const folder = dirname(source);

const named = /data-theme=["']?([\w-]+)/.exec(page)?.[1] ?? '';
const sheet = /<link\b[^>]*href=["']([^"']*kit\.css)["']/i.exec(page)?.[1];
const brandSheet = sheet === undefined ? '' : join(dirname(locate(folder, sheet)), 'brand.css');
const brand = existsSync(brandSheet) && (named === '' || named === 'brand') ? readFileSync(brandSheet, 'utf8') : '';
const theme = /--brand-theme:\s*([\w-]+)/.exec(brand)?.[1] ?? named;
const themeFamilies = {
  report: ['Source Serif 4', 'JetBrains Mono'],
  deck: ['Manrope', 'JetBrains Mono'],
  editorial: ['Fraunces', 'Source Serif 4'],
  academic: ['EB Garamond', 'Source Serif 4'],
  playful: ['Nunito'],
  technical: ['Inter', 'JetBrains Mono'],
};
const families = new Set([
  ...(themeFamilies[theme] ?? ['Inter']),
  ...[...`${page}${brand}`.matchAll(/font(?:-family)?:[^;}"]*["']([^"']+)["']/g)].map(([, name]) => name),
]);
const kitFamilies = new Set(['Inter', 'Source Serif 4', 'EB Garamond', 'JetBrains Mono', 'Manrope', 'Fraunces', 'Nunito']);
const keepsFace = (face) => {
  const family = /font-family:\s*["']?([^"';]+)/.exec(face)?.[1] ?? '';
  if (kitFamilies.has(family) && !families.has(family)) return false;
  if (family === 'JetBrains Mono' && !/<(code|pre|kbd)\b/i.test(page)) return false;
  if (/font-style:\s*italic/.test(face) && !/<(em|i|cite)\b|italic/i.test(page)) return false;
  const range = /unicode-range:\s*([^;}]+)/.exec(face)?.[1];
  return !range || needsRange(range, page);
};

const bundled = page
  .replace(/<link\b[^>]*rel=["']?stylesheet[^>]*>/gi, (tag) => {
    const address = /href=["']([^"']+)["']/i.exec(tag)?.[1] ?? '';
    const bytes = isLocal(address) ? read(locate(folder, address)) : null;
    return bytes ? `<style>\n${inlineStyles(bytes.toString(), dirname(locate(folder, address)), keepsFace)}</style>` : tag;
  })
  .replace(/<script\b([^>]*)\bsrc=["']([^"']+)["']([^>]*)><\/script>/gi, (tag, before, address, after) => {
    const bytes = isLocal(address) ? read(locate(folder, address)) : null;
    return bytes ? `<script${before}${after}>${bytes.toString().replaceAll('</script', '<\\/script')}</script>` : tag;
  })
  .replace(/(<(?:img|source|video|audio|image)\b[^>]*\b(?:src|href)=)(["'])([^"']+)\2/gi, (tag, start, quote, address) => {
    const data = isLocal(address) ? toData(locate(folder, address)) : null;
    return data ? `${start}${quote}${data}${quote}` : tag;
  });

writeFileSync(target, bundled);
console.log(`${target}: ${Math.ceil(Buffer.byteLength(bundled) / 1024)} KB in one file.`);
for (const path of missing) console.log(`missing: ${path}`);
