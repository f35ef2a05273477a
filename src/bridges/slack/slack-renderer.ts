import type { Span } from '../text/markup-spans.ts';
import type { MessageRenderer } from '../text/message-pieces.ts';

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Marks only work around text without leading or trailing spaces. */
function mark(sign: string, text: string): string {
  const inner = text.trim();
  return inner === '' ? text : text.replace(inner, () => `${sign}${inner}${sign}`);
}

function drawSpan({ text, isBold, isItalic, isStruck, isCode, href }: Span): string {
  const bare = escape(text);
  if (isCode) return `\`${bare}\``;
  let drawn = href === undefined ? bare : `<${escape(href).replaceAll('|', '%7C')}|${bare.replaceAll('|', '¦')}>`;
  if (isStruck) drawn = mark('~', drawn);
  if (isItalic) drawn = mark('_', drawn);
  if (isBold) drawn = mark('*', drawn);
  return drawn;
}

const drawLine = (spans: readonly Span[]) => spans.map(drawSpan).join('');

/** Slack's mrkdwn. A section of Block Kit takes 3000 characters. */
export const slackRenderer: MessageRenderer = {
  limit: 3000,
  drawLine,
  drawQuote: (spans) => `> ${drawLine(spans)}`,
  drawCode: (text) => `\`\`\`\n${escape(text).replaceAll('```', '`\u200b``')}\n\`\`\``,
};

/** What a person typed in Slack, as they saw it. */
export function readSlackText(text: string): string {
  return text
    .replaceAll(/<((?:https?|mailto):[^|>]{1,3000})(?:\|[^>]{0,3000})?>/g, '$1')
    .replaceAll(/<[@#!]([^|>]{1,200})(?:\|([^>]{0,200}))?>/g, (_, id: string, name?: string) => `@${name || id}`)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
