import { Document, ExternalHyperlink, FootnoteReferenceRun, Packer, Paragraph, TextRun } from 'docx';
import { expect, it } from 'vitest';
import { readWord } from './office-text.ts';
import { readParts } from './package-parts.ts';

it('a note of a Word document keeps its links and the bounds of its paragraphs', async () => {
  const link = new ExternalHyperlink({ link: 'https://example.com/report', children: [new TextRun('the report')] });
  const document = new Document({
    footnotes: {
      1: { children: [new Paragraph({ children: [new TextRun('See '), link] }), new Paragraph('And the annex.')] },
      2: { children: [new Paragraph('Net of tax.')] },
    },
    sections: [{ children: [new Paragraph({ children: [new FootnoteReferenceRun(1), new FootnoteReferenceRun(2)] })] }],
  });
  const { text } = await readWord(await readParts(await Packer.toBuffer(document)));
  expect(text.slice(text.indexOf('[1] ')).split('\n\n')).toEqual([
    '[1] See [the report](https://example.com/report)',
    'And the annex.',
    '[2] Net of tax.',
  ]);
});
