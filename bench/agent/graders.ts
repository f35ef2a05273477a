import assert from 'node:assert/strict';
import { unpackOffice } from '../../test/support/files/office-samples.ts';
import type { Outcome } from './job-stage.ts';

/** A delivered file; rejects if there is none of this name. */
export function fileOf({ files, answer }: Outcome, name: string): Buffer {
  const file = files.get(name);
  assert.ok(file, `${name} was not delivered, but ${[...files.keys()].join(', ') || 'nothing'}: ${answer}`);
  return file;
}

/** The words of the parts of an office file whose names match, without markup. */
export function readOffice(bytes: Buffer, parts: RegExp): string {
  const texts = [...unpackOffice(bytes)].filter(([name]) => parts.test(name)).map(([, content]) => content.toString('utf8'));
  return texts
    .join('\n')
    .replaceAll(/<\/(?:\w+:)?(?:p|c|row)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '');
}

/** How many parts of an office file have such a name. */
export function countParts(bytes: Buffer, parts: RegExp): number {
  return [...unpackOffice(bytes).keys()].filter((name) => parts.test(name)).length;
}

/** Rejects unless a text has all of these. */
export function expectAll(text: string, facts: readonly string[]): void {
  assert.deepEqual(
    facts.filter((fact) => !text.includes(fact)),
    [],
    `is missing in ${text.slice(0, 1500)}`,
  );
}

/** Rejects unless the model was shown all of these in its last request. */
export function expectSeen({ requests }: Outcome, facts: readonly string[]): void {
  expectAll(requests.at(-1)?.text.slice(-6000) ?? '', facts);
}
