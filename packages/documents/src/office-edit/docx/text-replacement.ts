import { Fault, invalidField } from '@errand/base/fault.ts';
import { findStarts } from '@errand/base/text/text-match.ts';
import { cleanText } from '../../clean-text.ts';
import { explainAbsence, quotePlace } from '../text/near-text.ts';
import { listChanges, narrowChange } from '../text/text-difference.ts';
import { changeTracked } from './run-changes.ts';
import type { StoryParagraph, WordDocument } from './word-document.ts';

/** Each change of a tracked text splits runs. */
const mostTracked = 5_000;
const shownPlaces = 5;

interface Match {
  paragraph: StoryParagraph;
  starts: number[];
}

function listPlaces(matches: readonly Match[], length: number): string {
  const places = matches.flatMap(({ paragraph: { story, text }, starts }) =>
    starts.map((start) => `${story.name}: ${quotePlace(text.text, start, length)}`),
  );
  const more = places.length > shownPlaces ? `\n- and ${places.length - shownPlaces} more` : '';
  return `${places
    .slice(0, shownPlaces)
    .map((place) => `\n- ${place}`)
    .join('')}${more}`;
}

/** The paragraphs that hold a text, with the places in each. Throws a Fault if it is not there, or more than once and not all are meant. */
export function findText(
  document: WordDocument,
  field: string,
  find: string,
  all: boolean,
  paragraphs = document.paragraphs(),
): Match[] {
  const matches = paragraphs.flatMap((paragraph) => {
    const starts = [...findStarts(paragraph.text.text, find, false)];
    return starts.length === 0 ? [] : [{ paragraph, starts }];
  });
  const counted = matches.filter(({ paragraph }) => !paragraph.isRepetition);
  const count = counted.reduce((sum, { starts }) => sum + starts.length, 0);
  if (matches.length === 0) {
    const texts = paragraphs.map(({ text }) => text.text);
    throw invalidField(field, `${quotePlace(find, 0, 120)} ${explainAbsence(texts, find)}`);
  }
  if (count > 1 && !all) {
    throw invalidField(
      field,
      `occurs ${count} times. Include more of the text around the one you mean, or set all:${listPlaces(counted, find.length)}`,
    );
  }
  return matches;
}

export interface ReplaceOptions {
  find: string;
  with: string;
  all: boolean;
  track: boolean;
}

/** Replaces a text wherever its runs begin and end; a line for the report. */
export function replaceText(document: WordDocument, options: ReplaceOptions): string {
  const { find, all, track } = options;
  const text = cleanText(options.with);
  if (text === find) throw invalidField('with', 'is the same as find; there is nothing to change.');
  const matches = findText(document, 'find', find, all);
  const changes = (track ? listChanges(find, text) : [narrowChange(find, text)]).toReversed();
  const count = matches.reduce((sum, { paragraph, starts }) => sum + (paragraph.isRepetition ? 0 : starts.length), 0);
  if (track && count > mostTracked) {
    throw new Fault('payload_too_large', `find: occurs ${count} times; at most ${mostTracked} can be tracked in one edit.`);
  }
  for (const { paragraph, starts } of matches) {
    for (const start of starts.toReversed()) {
      for (const change of changes) {
        const [from, to] = [start + change.from, start + change.to];
        if (track) changeTracked(document, paragraph.text.paragraph, from, to, change.text);
        else paragraph.text.change(from, to, change.text);
      }
    }
    paragraph.text.flush();
  }
  return `replaced ${quotePlace(find, 0, 60)} in ${count === 1 ? 'one place' : `${count} places`}`;
}
