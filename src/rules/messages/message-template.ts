import type { QuotedSpan } from '../events/task-event.ts';

/** A text with places for values: `{{name}}`. */
export type TemplatePart = { kind: 'text'; text: string } | { kind: 'place'; name: string };

const place = /\{\{([^{}]*)\}\}/g;

/** Splits a template; braces that name nothing between them are places with an unknown name, which its author is told. */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const found of template.matchAll(place)) {
    if (found.index > end) parts.push({ kind: 'text', text: template.slice(end, found.index) });
    parts.push({ kind: 'place', name: (found[1] ?? '').trim() });
    end = found.index + found[0].length;
  }
  if (end < template.length) parts.push({ kind: 'text', text: template.slice(end) });
  return parts;
}

/** The names of the places of a template, each once. */
export function findPlaces(template: string): string[] {
  return [...new Set(parseTemplate(template).flatMap((part) => (part.kind === 'place' ? [part.name] : [])))];
}

export interface FilledTemplate {
  text: string;
  /** The values that were filled in, in order; empty ones are left out. */
  quoted: QuotedSpan[];
  /** The places whose values were cut because the whole would have become too long. */
  cut: string[];
}

/** What stands at the end of a value that was cut. */
export const cutMark = ' […]';

/** Cut between characters. */
function cutAt(text: string, length: number): string {
  const kept = Math.max(0, length - cutMark.length);
  return `${text.slice(0, kept).replace(/[\uD800-\uDBFF]$/, '')}${cutMark}`;
}

/**
 * Fills a template, once: what a value contains is never a place.
 * @param maxLength of the filled text; values that do not fit are cut
 */
export function fillTemplate(template: string, valueOf: (name: string) => string, maxLength: number): FilledTemplate {
  const parts = parseTemplate(template);
  const literal = parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : cutMark.length), 0);
  const filled: FilledTemplate = { text: '', quoted: [], cut: [] };
  let left = maxLength - literal;
  for (const part of parts) {
    if (part.kind === 'text') {
      filled.text += part.text;
      continue;
    }
    const value = valueOf(part.name).toWellFormed();
    const space = Math.max(0, left) + cutMark.length;
    const isCut = value.length > space;
    const shown = isCut ? cutAt(value, space) : value;
    if (isCut) filled.cut.push(part.name);
    if (shown !== '') filled.quoted.push([filled.text.length, filled.text.length + shown.length]);
    filled.text += shown;
    left -= Math.max(0, shown.length - cutMark.length);
  }
  return filled;
}
