import { expect } from 'vitest';

/** Matches a text by pattern, for values that a test cannot know. */
export function someText(form: RegExp): unknown {
  return expect.stringMatching(form);
}

export const someId: unknown = someText(/^[0-9A-Za-z]{22}$/);
export const someRequestId: unknown = someText(/^req_[0-9A-Za-z]{22}$/);
export const someNumber: unknown = expect.any(Number);

/** The error of a request with an invalid field, which the message names first. */
export function invalidArgument(message: string): { code: string; message: string; param: string } {
  return { code: 'invalid_argument', message, param: /^(.+?)(?:: | is required)/.exec(message)?.[1] ?? '' };
}
