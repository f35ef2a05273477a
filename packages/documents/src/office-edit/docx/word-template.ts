import type { MissingWay } from '../edit-spec.ts';
import { removeNode } from '../markup/markup-tree.ts';
import { reportFilling, type TemplateDialect, TemplateFilling } from '../template/template-filling.ts';
import { TemplateValues } from '../template/template-values.ts';
import type { WordDocument } from './word-document.ts';
import { wordSpace, wordText } from './word-text.ts';

const uniqueMarks = /^(bookmarkStart|bookmarkEnd|commentRangeStart|commentRangeEnd|commentReference|permStart|permEnd)$/;
const idSpace = 'http://schemas.microsoft.com/office/word/2010/wordml';

function describe(document: WordDocument): TemplateDialect {
  return {
    ...wordText,
    isRow: (element) => element.is(wordSpace, 'tr'),
    separateCopy(copy) {
      for (const mark of [...copy.descendants((each) => each.space === wordSpace && uniqueMarks.test(each.local))])
        removeNode(mark);
      for (const drawing of copy.descendants(({ local }) => local === 'docPr')) {
        drawing.setAttribute('id', String(document.nextDrawingId()));
      }
      for (const each of [copy, ...copy.descendants(({ opening }) => opening.includes('paraId'))]) {
        for (const name of ['paraId', 'textId']) each.setAttribute(name, null, idSpace);
      }
    },
  };
}

/** Fills the fields and sections of a template, also in headers, footers, notes, and text boxes. */
export function fillDocument(document: WordDocument, given: Record<string, unknown>, missing: MissingWay): string {
  const values = new TemplateValues([given], missing);
  const filling = new TemplateFilling(describe(document));
  for (const { root } of document.stories()) filling.fill(root, values);
  return reportFilling(filling, values);
}
