import type { CallPart, LoggedEvent } from './task-event.ts';

/** The fields that say what a call does, in the order of preference. Texts that an agent types into pages are in none of them. */
const tellingFields = ['command', 'code', 'query', 'question', 'url', 'path', 'title'];

/** More of a command is slow to show; scripts of this length are files. */
const maxLength = 20_000;

/** The call that an event is about, or the one that runs after it; undefined if none does. */
export function callAt(place: LoggedEvent, calls: readonly CallPart[], isItself: boolean): CallPart | undefined {
  const { event } = place;
  if (event.type === 'model_finished') return isItself ? undefined : calls[0];
  if (event.type !== 'tool_started' && event.type !== 'tool_finished' && event.type !== 'action_prepared') return undefined;
  const at = calls.findIndex(({ id }) => id === event.callId);
  const isNext = event.type === 'tool_finished' && !isItself;
  return at < 0 ? undefined : calls[isNext ? at + 1 : at];
}

/** What a call was given, as text for people: the whole command or code, a path, a question; empty if no single text says it. */
export function describeInput({ input }: Pick<CallPart, 'input'>): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields: Readonly<Record<string, unknown>> = { ...input };
  const text = tellingFields.map((name) => fields[name]).find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof text !== 'string') return '';
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}
