import { invalidField } from '@errand/base/fault.ts';
import { cleanLine, cleanText } from '../../clean-text.ts';
import type { ReadFile } from '../../generator-outcome.ts';
import type { EditShapes } from '../edit-fields.ts';
import type { MissingWay, OfficeEdit } from '../edit-spec.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { reportFilling, TemplateFilling } from '../template/template-filling.ts';
import { TemplateValues } from '../template/template-values.ts';
import { quotePlace } from '../text/near-text.ts';
import { narrowChange } from '../text/text-difference.ts';
import { countPlaces, findText } from '../text/text-finding.ts';
import { Presentation } from './presentation.ts';
import { deleteSlide, duplicateSlide, moveSlide } from './slide-changes.ts';
import { drawingSpace, slideText } from './slide-text.ts';

/** The edits of presentations. */
export const presentationEdits: EditShapes = {
  replace: { needs: ['find', 'with'], takes: ['all', 'slide'] },
  fill: { needs: ['values'], takes: ['missing', 'slide'] },
  duplicate_slide: { needs: ['slide'], takes: ['position'] },
  move_slide: { needs: ['slide', 'position'] },
  delete_slide: { needs: ['slide'] },
  picture: { needs: ['image', 'slide'], takes: ['at', 'alt'] },
};

function replaceText(presentation: Presentation, { find = '', with: given = '', all = false, slide }: OfficeEdit): string {
  const text = cleanText(given);
  if (text === find) throw invalidField('with', 'is the same as find; there is nothing to change.');
  const matches = findText(presentation.paragraphs(slide), 'find', find, all);
  const change = narrowChange(find, text);
  for (const { paragraph, starts } of matches) {
    for (const start of starts.toReversed()) paragraph.text.change(start + change.from, start + change.to, change.text);
    paragraph.text.flush();
  }
  const count = countPlaces(matches);
  return `replaced ${quotePlace(find, 0, 60)} in ${count === 1 ? 'one place' : `${count} places`}`;
}

/** Copies of table rows need numbers of their own. */
const firstRowNumber = 20_000;

function fillSlides(
  presentation: Presentation,
  given: Record<string, unknown>,
  missing: MissingWay,
  number: number | undefined,
): string {
  let rows = firstRowNumber;
  const values = new TemplateValues([given], missing);
  const filling = new TemplateFilling({
    ...slideText,
    isRow: (element) => element.is(drawingSpace, 'tr'),
    separateCopy(copy) {
      for (const id of copy.descendants(({ local }) => local === 'rowId')) id.setAttribute('val', String(rows++));
    },
  });
  const slides = number === undefined ? presentation.slides() : [presentation.slide(number)];
  for (const part of slides.flatMap((slide) => presentation.texts(slide))) filling.fill(presentation.parts.root(part), values);
  return reportFilling(filling, values);
}

async function placePicture(presentation: Presentation, each: OfficeEdit, readFile: ReadFile): Promise<string> {
  const { image = '', slide = 0, at, alt } = each;
  const [{ readPicture }, { replacePicture }] = await Promise.all([
    import('../../pictures/picture-file.ts'),
    import('./slide-pictures.ts'),
  ]);
  const picture = await readPicture(await readFile(image), image);
  return replacePicture(presentation, { picture, slide, at, ...(alt !== undefined && { alt: cleanLine(alt) }) });
}

/** An editor of the presentation in a package. */
export function openPresentation(parts: OfficePackage, readFile: ReadFile) {
  const { part, type } = parts.main();
  if (!type.includes('presentationml') && !type.includes('ms-powerpoint')) {
    throw invalidField('path', 'is no presentation, whatever its name says.');
  }
  const presentation = new Presentation(parts, part);
  return async (each: OfficeEdit): Promise<string> => {
    const { slide = 0, position, values = {}, missing = 'error' } = each;
    switch (each.do) {
      case 'replace':
        return replaceText(presentation, each);
      case 'fill':
        return fillSlides(presentation, values, missing, each.slide);
      case 'duplicate_slide':
        return duplicateSlide(presentation, slide, position);
      case 'move_slide':
        return moveSlide(presentation, slide, position ?? 0);
      case 'delete_slide':
        return deleteSlide(presentation, slide);
      case 'picture':
        return await placePicture(presentation, each, readFile);
      default:
        throw invalidField('do', 'is no edit of presentations.');
    }
  };
}
