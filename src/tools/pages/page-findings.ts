import type { Finding, PressReport } from '@errand/sandbox/press';
import { toOneLine } from '@errand/base/text/one-line.ts';
import type { SeenPicture } from '../../rules/events/seen-picture.ts';
import { showPicture } from '../toolbox/show-picture.ts';
import type { ToolContext } from '../toolbox/tool.ts';

/** Each costs a model as much as a page of text. */
const mostShown = 6;
const mostListed = 30;

function describeFinding({ page, element, words, text }: Finding): string {
  const where = page === null ? '' : `page ${page}: `;
  const said = toOneLine(words);
  const what = element === '' ? '' : `${element}${said === '' ? '' : ` "${said}"`} `;
  return `- ${where}${what}${toOneLine(text)}`;
}

/** The findings as lines for a model; one that says so if there are none. */
export function describeFindings(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return ['Nothing is cut off, overlapping, hard to read, too wide, empty, or missing.'];
  const listed = findings.slice(0, mostListed).map(describeFinding);
  const rest = findings.length - listed.length;
  return ['To mend:', ...listed, ...(rest > 0 ? [`- and ${rest} more`] : [])];
}

/**
 * Says how many pages or slides a model with vision was shown, if not all, and how it sees the others; no line otherwise.
 * @param what the file for `render`, with the view that shows its pages one by one
 */
export function describeShown(
  pictures: readonly SeenPicture[],
  count: number,
  what: string,
  kind: 'slides' | 'pages' = 'slides',
): string[] {
  const { length } = pictures;
  if (length === 0 || length >= count) return [];
  const others = length + 1 === count ? `${count}` : `${length + 1}-${count}`;
  return [`${length} of ${count} ${kind} are shown. The others: render ${what}, pages "${others}".`];
}

/** The first pages, for a model with vision. */
export async function showPages({ pictures }: PressReport, context: ToolContext): Promise<SeenPicture[]> {
  const seen: SeenPicture[] = [];
  for (const { path } of pictures.slice(0, mostShown)) seen.push(...(await showPicture(path, context)));
  return seen;
}
