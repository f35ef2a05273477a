import { Fault, invalidField } from '@errand/base/fault.ts';
import { cleanText } from '../../clean-text.ts';
import { quotePlace } from '../text/near-text.ts';
import { countPlaces, findText } from '../text/text-finding.ts';
import { listChanges, narrowChange } from '../text/text-difference.ts';
import { changeTracked } from './run-changes.ts';
import type { WordDocument } from './word-document.ts';

/** Each change of a tracked text splits runs. */
const mostTracked = 5_000;

export interface ReplaceOptions {
  find: string;
  with: string;
  all: boolean;
  track: boolean;
}

/** How many decisions a tracked replacement leaves to the reader, and what became of a mixed format. */
function describeTracked(places: number, changes: number, mixed: boolean): string {
  const each = places > 1 && changes > 1 ? 'each ' : '';
  const count = places === 1 && changes === 1 ? 'one tracked change' : `${changes} tracked changes`;
  const tracked = places > 1 && changes === 1 ? '' : `, ${each}as ${count}`;
  return mixed ? `${tracked}; the old text had several formats, the new one has that of its first words` : tracked;
}

/** Replaces a text wherever its runs begin and end; a line for the report. */
export function replaceText(document: WordDocument, options: ReplaceOptions): string {
  const { find, all, track } = options;
  const text = cleanText(options.with);
  if (text === find) throw invalidField('with', 'is the same as find; there is nothing to change.');
  const matches = findText(document.paragraphs(), 'find', find, all);
  const changes = (track ? listChanges(find, text) : [narrowChange(find, text)]).toReversed();
  const count = countPlaces(matches);
  if (track && count > mostTracked) {
    throw new Fault('payload_too_large', `find: occurs ${count} times; at most ${mostTracked} can be tracked in one edit.`);
  }
  let isMixed = false;
  for (const { paragraph, starts } of matches) {
    for (const start of starts.toReversed()) {
      for (const change of changes) {
        const [from, to] = [start + change.from, start + change.to];
        if (!track) paragraph.text.change(from, to, change.text);
        else if (changeTracked(document, paragraph.text.paragraph, from, to, change.text)) isMixed = true;
      }
    }
    paragraph.text.flush();
  }
  const places = `replaced ${quotePlace(find, 0, 60)} in ${count === 1 ? 'one place' : `${count} places`}`;
  return track ? `${places}${describeTracked(count, changes.length, isMixed)}` : places;
}
