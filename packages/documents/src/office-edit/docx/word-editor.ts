import { Fault, invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../../clean-text.ts';
import type { ReadFile } from '../../generator-outcome.ts';
import type { EditShapes } from '../edit-fields.ts';
import type { OfficeEdit, OfficeJob } from '../edit-spec.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { addComment } from './comments.ts';
import { setPageText } from './page-headers.ts';
import { deleteParagraphs, insertParagraphs } from './paragraph-changes.ts';
import { decideRevisions } from './revision-decisions.ts';
import { deleteRows, insertRows } from './table-rows.ts';
import { replaceText } from './text-replacement.ts';
import { WordDocument } from './word-document.ts';
import { fillDocument } from './word-template.ts';

/** The edits of Word documents. */
export const wordEdits: EditShapes = {
  replace: { needs: ['find', 'with'], takes: ['all'] },
  insert: { needs: ['paragraphs'], takes: ['after', 'before', 'style'] },
  delete: { needs: ['find'], takes: ['to'] },
  insert_rows: { needs: ['rows'], takes: ['after', 'before'] },
  delete_rows: { needs: ['find'], takes: ['to'] },
  fill: { needs: ['values'], takes: ['missing'] },
  header: { needs: ['text'], takes: ['pages'] },
  footer: { needs: ['text'], takes: ['pages'] },
  picture: { needs: ['image'], takes: ['at', 'after', 'width_cm', 'alt'] },
  comment: { needs: ['find', 'text'] },
  accept: { needs: [], takes: ['author'] },
  reject: { needs: [], takes: ['author'] },
};

async function placePicture(document: WordDocument, each: OfficeEdit, readFile: ReadFile): Promise<string> {
  const { image = '', at, after, width_cm: widthCm, alt = '' } = each;
  const [{ readPicture }, { insertPicture }] = await Promise.all([
    import('../../pictures/picture-file.ts'),
    import('./word-pictures.ts'),
  ]);
  return insertPicture(document, {
    picture: await readPicture(await readFile(image), image),
    at,
    after,
    widthCm,
    alt: cleanLine(alt),
  });
}

/** Makes one edit, whose fields have been checked; a line for the report. */
async function makeEdit(document: WordDocument, each: OfficeEdit, track: boolean, readFile: ReadFile): Promise<string> {
  const { find = '', text = '' } = each;
  switch (each.do) {
    case 'replace':
      return replaceText(document, { find, with: each.with ?? '', all: each.all ?? false, track });
    case 'insert':
      return insertParagraphs(document, { ...each, paragraphs: each.paragraphs ?? [], track });
    case 'delete':
      return deleteParagraphs(document, find, each.to, track);
    case 'insert_rows':
      return insertRows(document, { ...each, rows: each.rows ?? [], track });
    case 'delete_rows':
      return deleteRows(document, find, each.to, track);
    case 'fill':
      return fillDocument(document, each.values ?? {}, each.missing ?? 'error');
    case 'header':
    case 'footer':
      return setPageText(document, each.do, text, each.pages ?? 'default');
    case 'picture':
      return await placePicture(document, each, readFile);
    case 'comment':
      return addComment(document, find, text);
    case 'accept':
    case 'reject':
      return decideRevisions(document, each.do === 'accept', each.author ?? null);
    default:
      throw invalidField('do', 'is no edit of Word documents.');
  }
}

/** An editor of the Word document in a package. */
export function openWord(parts: OfficePackage, { author, nowMs, track }: OfficeJob, readFile: ReadFile) {
  const { part, type } = parts.main();
  if (!type.includes('wordprocessingml') && !type.includes('ms-word.document')) {
    throw invalidField('path', 'is no Word document, whatever its name says.');
  }
  const document = new WordDocument(parts, part, { author: cleanLine(author), nowMs });
  if (document.root.local !== 'document') throw new Fault('invalid_argument', 'path: the file has no text in it.');
  return (each: OfficeEdit) => makeEdit(document, each, track, readFile);
}
