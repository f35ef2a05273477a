import { isJsonObject } from '@errand/base/json-object.ts';
import { findMismatch } from '../../rules/output/output-value.ts';
import type { OutputSchema } from '../../rules/events/task-event.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import { readCallInput } from '../call-input.ts';
import { findObjects } from './json-objects.ts';

export type Fields = Record<string, unknown>;

/** Every text of the conversation, latest first. */
function listTexts(transcript: readonly TranscriptEntry[]): string[] {
  return transcript
    .flatMap((entry) => {
      if (entry.role === 'user') return [entry.text];
      if (entry.role === 'tool') return entry.results.map((result) => result.output);
      return entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    })
    .toReversed();
}

/** The types that a property of a schema allows. */
export function listTypes(property: unknown): unknown[] {
  if (!isJsonObject(property)) return [];
  const branches = Array.isArray(property['anyOf']) ? property['anyOf'].flatMap(listTypes) : [];
  return [property['type'], ...branches].flat();
}

/** A field's text as the schema's type; null if it does not match. */
export function readField(text: string, types: readonly unknown[]): unknown {
  if (types.includes('boolean') && /^(true|yes|false|no)$/i.test(text)) return /^(true|yes)$/i.test(text);
  if ((types.includes('number') || types.includes('integer')) && text !== '' && Number.isFinite(Number(text)))
    return Number(text);
  if (types.includes('string')) return text;
  if (types.includes('array') || types.includes('object')) return readCallInput(text);
  return null;
}

/** Normalizes the name of a field, so that "Due date", "due-date", and "due_date" match. */
export function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '_');
}

/** The last `field: value` line of each name. */
export function listFieldLines(texts: readonly string[]): Map<string, string> {
  const lines = new Map<string, string>();
  for (const line of texts.toReversed().flatMap((text) => text.split('\n'))) {
    const colon = line.indexOf(':');
    const field = normalize(
      line
        .slice(0, Math.max(colon, 0))
        .replace(/^\s*[-*]/, '')
        .trim(),
    );
    if (field !== '') lines.set(field, line.slice(colon + 1).trim());
  }
  return lines;
}

function fillFromLines(properties: Fields, texts: readonly string[]): Fields {
  const lines = listFieldLines(texts);
  const filled = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    const types = listTypes(property);
    const line = lines.get(normalize(name));
    if (line !== undefined) return [[name, readField(line, types)]];
    return types.includes('null') ? [[name, null]] : [];
  });
  return Object.fromEntries(filled);
}

/**
 * The value requested by the schema, as far as the conversation contains it: the latest JSON object that conforms, else `field: value`
 * lines. Missing values are not invented, so the result may not conform.
 */
export function extractValue(schema: OutputSchema, transcript: readonly TranscriptEntry[]): unknown {
  const texts = listTexts(transcript);
  for (const text of texts) {
    const found = findObjects(text).findLast((value) => findMismatch(schema, value) === null);
    if (found !== undefined) return found;
  }
  return fillFromLines(isJsonObject(schema['properties']) ? schema['properties'] : {}, texts);
}
