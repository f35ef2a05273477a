import type { OutputSchema } from '../events/task-event.ts';
import { propertyPath } from './output-path.ts';

/** More are not worth a longer list. */
const mostGaps = 100;

function isUnknown(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** How far behind the name of a field its `null` may stand, so that several fields can share one. */
const reachOfNull = 80;

/** How often the name is looked at; answers do not say it more often. */
const mostMentions = 200;

const isOfName = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** What may stand between a name and its null: its quotes, other names, and a colon or a verb, but no other statement. */
const stayingNull =
  /^[`"'*]*(?:(?:, (?:and |or )?| and | or )[`"'*]*[\p{L}\p{N}_]+[`"'*]*){0,9} ?(?::|=|is|are|stays?|remains?)?[ `"'*]*null(?![\p{L}\p{N}_])/iu;

/** Whether a text says of a field that it stays null. */
function isSaidNull(said: string, key: string): boolean {
  if (key === '') return false;
  let looks = 0;
  for (let at = said.indexOf(key); at >= 0 && looks < mostMentions; at = said.indexOf(key, at + key.length)) {
    looks += 1;
    const end = at + key.length;
    if (isOfName(said[at - 1]) || isOfName(said[end])) continue;
    if (stayingNull.test(said.slice(end, end + reachOfNull))) return true;
  }
  return false;
}

/**
 * The paths of a value where a fact is required and none is stated: null, or an empty text.
 * @param said the agent's answer; fields of the value itself that it says to be null are no gaps
 */
export function listGaps(value: unknown, said = ''): string[] {
  const gaps: string[] = [];
  const open: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let next = open.shift(); next && gaps.length < mostGaps; next = open.shift()) {
    const { path, value: at } = next;
    if (isUnknown(at)) gaps.push(path === '' ? 'the whole value' : path);
    if (typeof at !== 'object' || at === null) continue;
    const isList = Array.isArray(at);
    for (const [key, child] of Object.entries(at)) {
      // Deeper down, a name may be that of several fields.
      if (at === value && !isList && isUnknown(child) && isSaidNull(said, key)) continue;
      open.push({ path: isList ? `${path}[${key}]` : propertyPath(path, key), value: child });
    }
  }
  return gaps;
}

/** The longest schema that is shown whole; of a longer one, the beginning. */
const longestShown = 12_000;

/** Tells a model, while it works, which structure its result will have. */
export function describeSchema(schema: OutputSchema, mark: string): string {
  const text = JSON.stringify(schema);
  const shown = text.length <= longestShown ? text : `${text.slice(0, longestShown).toWellFormed()} […]`;
  return `${mark} When this task is done, its result is also given as JSON of the schema below, made from this conversation by the service.
Find out while you work whatever it asks for, and state each of these facts in the conversation, at the latest in your final message. What
no source tells, state as \`field: null\`. Do not write the JSON yourself unless the user asks for it.
${shown}`;
}
