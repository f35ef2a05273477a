import { ExternalHyperlink, type ParagraphChild, TextRun } from 'docx';
import type { Run } from '../content/blocks.ts';

/** Unset properties are inherited from the paragraph's style. */
function writeText({ text, isBold, isItalic, isStruck, isCode, link, effect }: Run): TextRun {
  if (text === '\n') return new TextRun({ text: '', break: 1 });
  return new TextRun({
    text,
    ...(isBold ? { bold: true } : {}),
    ...(isItalic ? { italics: true } : {}),
    ...(isStruck ? { strike: true } : {}),
    ...(effect === 'marked' ? { highlight: 'yellow' as const } : {}),
    ...(link ? { style: 'Hyperlink' } : isCode ? { style: 'InlineCode' } : {}),
  });
}

export function writeRuns(runs: readonly Run[]): ParagraphChild[] {
  return runs.map((run) => (run.link ? new ExternalHyperlink({ link: run.link, children: [writeText(run)] }) : writeText(run)));
}
