import type { Span } from '../text/markup-spans.ts';
import type { MessageRenderer } from '../text/message-pieces.ts';

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function drawSpan({ text, isBold, isItalic, isStruck, isCode, href }: Span): string {
  let drawn = escape(text);
  if (isCode) return `<code>${drawn}</code>`;
  if (isStruck) drawn = `<s>${drawn}</s>`;
  if (isItalic) drawn = `<i>${drawn}</i>`;
  if (isBold) drawn = `<b>${drawn}</b>`;
  return href === undefined ? drawn : `<a href="${escape(href)}">${drawn}</a>`;
}

const drawLine = (spans: readonly Span[]) => spans.map(drawSpan).join('');

/** Telegram's subset of HTML. Telegram counts the text without markup, so this stays within its limit of 4096. */
export const telegramRenderer: MessageRenderer = {
  limit: 4096,
  drawLine,
  drawQuote: (spans) => `<blockquote>${drawLine(spans)}</blockquote>`,
  drawCode: (text) => `<pre>${escape(text)}</pre>`,
};
