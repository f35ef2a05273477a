import { invalidField } from '@errand/base/fault.ts';
import { findStarts } from '@errand/base/text/text-match.ts';
import { explainAbsence, quotePlace } from './near-text.ts';
import type { ParagraphText } from './paragraph-text.ts';

const shownPlaces = 5;

/** A paragraph and where it is. */
export interface PlacedParagraph {
  /** The name that a person would use, such as "the text" or "slide 3". */
  story: { name: string };
  text: ParagraphText;
  /** Repeats another paragraph for older programs: changed alike, and not counted. */
  isRepetition: boolean;
}

/** A paragraph with the places where a text begins. */
export interface Match<Paragraph extends PlacedParagraph> {
  paragraph: Paragraph;
  starts: number[];
}

function listPlaces(matches: readonly Match<PlacedParagraph>[], length: number): string {
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
export function findText<Paragraph extends PlacedParagraph>(
  paragraphs: readonly Paragraph[],
  field: string,
  find: string,
  all: boolean,
): Match<Paragraph>[] {
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

/** How often a text occurs, in words. */
export function countPlaces(matches: readonly Match<PlacedParagraph>[]): number {
  return matches.reduce((sum, { paragraph, starts }) => sum + (paragraph.isRepetition ? 0 : starts.length), 0);
}
