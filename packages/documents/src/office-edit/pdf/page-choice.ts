import { invalidField } from '@errand/base/fault.ts';

/** The pages of one part such as `3`, `2-5`, `4-`, or `5-2`, which is backwards. */
function readPart(part: string, count: number): number[] {
  const [, first = '', dash = '', last = ''] = /^(\d{1,6})(-?)(\d{0,6})$/.exec(part) ?? [];
  const from = Number(first);
  const to = dash === '' ? from : last === '' ? count : Number(last);
  if (first === '' || (dash === '' && last !== '')) {
    throw invalidField('pages', `${JSON.stringify(part)} names no pages. Write pages such as "1-3,7,9-".`);
  }
  if (from < 1 || to < 1 || from > count || to > count) {
    throw invalidField('pages', `there is no page ${from < 1 || from > count ? from : to}; the file has ${count}.`);
  }
  const step = to < from ? -1 : 1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + at * step);
}

/** One choice for each part of a text such as `1-3,4-`, with pages counted from 1. Throws a Fault for pages that do not exist. */
export function readChoices(text: string, count: number): { label: string; pages: number[] }[] {
  return text.split(',').map((part) => {
    const label = part.replaceAll(/\s/g, '');
    return { label, pages: readPart(label, count) };
  });
}

/** The pages that a text such as `3,1-2` names, in its order; all without one. */
export function readPages(text: string | undefined, count: number): number[] {
  if (text === undefined) return Array.from({ length: count }, (_, at) => at + 1);
  const pages = readChoices(text, count).flatMap((choice) => choice.pages);
  const twice = pages.find((page, at) => pages.indexOf(page) !== at);
  if (twice !== undefined) throw invalidField('pages', `names page ${twice} twice.`);
  return pages;
}
