import type { Row } from '../conversation/row.ts';

const lineHeight = 24;
const charactersPerLine = 80;

function textHeight(text: string): number {
  const breaks = text.split('\n', 60).length - 1;
  return lineHeight * Math.min(80, Math.ceil(text.length / charactersPerLine) + breaks);
}

/** The estimated height of a row until it has been rendered and measured. In pixels. */
export function estimateHeight(row: Row | undefined): number {
  switch (row?.kind) {
    case 'user':
    case 'pending':
      return 42 + Math.min(800, textHeight(row.text)) + (row.kind === 'user' && row.attachments.length > 0 ? 60 : 0);
    case 'agent':
      return (row.isAside ? 12 : 56) + textHeight(row.text) + (row.attachments.length > 0 ? 60 : 0);
    case 'draft':
    case 'stopped':
      return 16 + textHeight(row.text);
    case 'work':
      return 38;
    case 'question':
      return 120 + textHeight(row.text);
    case 'confirm':
      return row.outcome === 'open' ? 260 : 110;
    case 'result':
      return 220;
    case 'error':
      return 110;
    default:
      return 36;
  }
}
