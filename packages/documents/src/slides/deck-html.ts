import { createHash } from 'node:crypto';
import { escapeMarkup } from '../clean-text.ts';
import type { Run } from '../content/blocks.ts';
import { fontFamily } from '../fonts/font-files.ts';
import { drawSceneChart } from './deck-chart.ts';
import { deckScript, deckStyle } from './deck-page.ts';
import { bulletIndent, type Element, type Frame, lineHeight, type Paragraph, type Scene } from './deck-scene.ts';
import type { DeckTheme } from './deck-themes.ts';

function place({ x, y, width, height }: Frame): string {
  const unit = (length: number) => `${Math.round(length * 10) / 10}px`;
  return `left:${unit(x)};top:${unit(y)};width:${unit(width)};height:${unit(height)}`;
}

function writeRun({ text, isBold, isItalic, isCode, isStruck, link }: Run): string {
  let html = escapeMarkup(text).replaceAll('\n', '<br>');
  if (isCode) html = `<code>${html}</code>`;
  if (isStruck) html = `<s>${html}</s>`;
  if (isItalic) html = `<em>${html}</em>`;
  if (isBold) html = `<strong>${html}</strong>`;
  return link ? `<a href="${escapeMarkup(link)}" target="_blank" rel="noopener noreferrer">${html}</a>` : html;
}

function writeParagraph(paragraph: Paragraph, at: number, accent: string): string {
  const { runs, size, color, isBold, isItalic, bulletLevel, spaceBefore = 0 } = paragraph;
  const styles = [
    `font-size:${size}px`,
    `color:${color}`,
    ...(isBold ? ['font-weight:700'] : []),
    ...(isItalic ? ['font-style:italic'] : []),
    ...(at > 0 && spaceBefore > 0 ? [`margin-top:${spaceBefore}px`] : []),
    ...(bulletLevel === undefined ? [] : [`padding-left:${bulletIndent * (bulletLevel + 1)}px`]),
  ];
  const mark =
    bulletLevel === undefined ? '' : `<i class="mark" style="left:${bulletIndent * bulletLevel + 4}px;background:${accent}"></i>`;
  return `<p style="${styles.join(';')}">${mark}${runs.map(writeRun).join('')}</p>`;
}

function writeText(element: Extract<Element, { kind: 'text' }>, theme: DeckTheme): string {
  const { frame, paragraphs, align = 'left', anchor = 'top', isTitle } = element;
  const justify = { top: 'flex-start', middle: 'center', bottom: 'flex-end' }[anchor];
  const [tag, role] = isTitle ? ['h2', ''] : ['div', ''];
  const style = `${place(frame)};text-align:${align};justify-content:${justify}`;
  // A heading must not contain paragraphs, so that screen readers get the same text.
  const inner = paragraphs.map((paragraph, at) => writeParagraph(paragraph, at, theme.accent)).join('');
  return `<${tag} class="text"${role} style="${style}">${isTitle ? inner.replaceAll(/<(\/?)p\b/g, '<$1span') : inner}</${tag}>`;
}

function toDataUri(bytes: Uint8Array, type: string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

function writeTable(
  { frame, columns, rows, widths, rowHeight, size }: Extract<Element, { kind: 'table' }>,
  theme: DeckTheme,
): string {
  const cell = (tag: string) => (one: { text: string; isRight: boolean }) =>
    `<${tag}${one.isRight ? ' class="right"' : ''}>${escapeMarkup(one.text)}</${tag}>`;
  const row = (cells: string) => `<tr style="height:${rowHeight}px">${cells}</tr>`;
  const sizes = widths.map((width) => `<col style="width:${width.toFixed(1)}px">`).join('');
  const head = `<thead style="background:${theme.panel};color:${theme.strong}">${row(columns.map(cell('th')).join(''))}</thead>`;
  const body = rows.map((cells) => row(cells.map(cell('td')).join(''))).join('');
  const style = `${place(frame)};height:auto;font-size:${size}px;color:${theme.text};--line:${theme.line}`;
  return `<table style="${style}"><colgroup>${sizes}</colgroup>${head}<tbody>${body}</tbody></table>`;
}

function writeElement(element: Element, theme: DeckTheme): string {
  switch (element.kind) {
    case 'box':
      return `<div style="${place(element.frame)};background:${element.fill};border-radius:${element.radius ?? 0}px"></div>`;
    case 'text':
      return writeText(element, theme);
    case 'image': {
      const { bytes, format } = element.picture;
      const source = toDataUri(bytes, format === 'png' ? 'image/png' : 'image/jpeg');
      return `<img style="${place(element.frame)}" src="${source}" alt="${escapeMarkup(element.description)}">`;
    }
    case 'chart': {
      const source = toDataUri(Buffer.from(drawSceneChart(element, theme)), 'image/svg+xml');
      return `<img style="${place(element.frame)}" src="${source}" alt="${escapeMarkup(element.spec.title || 'Chart')}">`;
    }
    case 'table':
      return writeTable(element, theme);
  }
}

function writeSlide(scene: Scene, index: number, theme: DeckTheme): string {
  const inside = scene.elements.map((element) => writeElement(element, theme)).join('\n');
  const notes = scene.notes === '' ? '' : `\n<aside>${escapeMarkup(scene.notes)}</aside>`;
  const label = `aria-roledescription="slide" aria-label="${escapeMarkup(`${index + 1}: ${scene.name}`)}"`;
  return `<section id="s${index + 1}" ${label}><div class="stage" style="background:${scene.ground}">\n${inside}\n</div>${notes}</section>`;
}

const scriptDigest = createHash('sha256').update(deckScript).digest('base64');

/** A deck as one self-contained page: styles, pictures and the script for navigation are inline. */
export function makeDeckPage(title: string, language: string, scenes: readonly Scene[], theme: DeckTheme): Uint8Array {
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${scriptDigest}'`;
  const html = `<!doctype html>
<html lang="${escapeMarkup(language || 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeMarkup(title)}</title>
<style>
:root{--font:${fontFamily}}
${deckStyle}
p{line-height:${lineHeight}}
</style>
</head>
<body>
<main>
${scenes.map((scene, index) => writeSlide(scene, index, theme)).join('\n')}
</main>
<nav aria-label="Slides" hidden><button type="button" data-go="-1" aria-label="Previous slide">‹</button><output></output><button type="button" data-go="1" aria-label="Next slide">›</button></nav>
<script>${deckScript}</script>
</body>
</html>
`;
  return Buffer.from(html);
}
