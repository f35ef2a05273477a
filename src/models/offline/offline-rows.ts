import { isJsonObject } from '@errand/base/json-object.ts';
import type { OutputSchema } from '../../rules/events/task-event.ts';
import { readCallInput } from '../call-input.ts';
import { type Fields, listFieldLines, listTypes, normalize, readField } from './offline-extraction.ts';

/** A text with the values of a row's columns in it; null if it names a column that the row does not have. */
function fillIn(template: string, row: Fields): string | null {
  const names = [...template.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name.trim());
  if (!names.every((name) => Object.hasOwn(row, name))) return null;
  return template.replaceAll(/\{\{([^{}]*)\}\}/g, (_, name: string) => {
    const value = row[name.trim()];
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/**
 * The answer about a row: a line `field: text with {{column}}` of the instruction is that field. What the instruction does not say is null
 * where the schema allows it, and otherwise left out, so the answer may not conform.
 */
export function answerRow(schema: OutputSchema, instruction: string, text: string): unknown {
  const given = readCallInput(text);
  const row = isJsonObject(given) ? given : {};
  const lines = listFieldLines([instruction]);
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const filled = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    const types = listTypes(property);
    const line = lines.get(normalize(name));
    const value = line === undefined ? null : fillIn(line, row);
    if (value !== null) return [[name, readField(value, types)]];
    return types.includes('null') ? [[name, null]] : [];
  });
  return Object.fromEntries(filled);
}
