import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestHost } from '../../../test/support/cli/test-shell.ts';
import { formatTable, formatTime, printJson, printText } from './print.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

// oxlint-disable-next-line no-control-regex
const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('output', () => {
  it('for programs is one line of equivalent JSON without raw control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const host = new TestHost();
        printJson(host, { text });
        expect(host.stdout.text).toMatch(/^[^\n]*\n$/);
        expect(host.stdout.text.trimEnd()).not.toMatch(dangerous);
        expect(JSON.parse(host.stdout.text)).toEqual({ text });
      }),
    );
  });

  it('for people ends with exactly one line end', () => {
    const host = new TestHost();
    printText(host, 'a');
    printText(host, 'b\n');
    expect(host.stdout.text).toBe('a\nb\n');
  });

  it('in columns is aligned', () => {
    expect(
      formatTable([
        ['ID', 'TITLE'],
        ['long id', 'x'],
      ]),
    ).toBe('ID       TITLE\nlong id  x');
  });

  it('shows times in UTC, and missing ones as never', () => {
    expect(formatTime(1_767_225_600)).toBe('2026-01-01 00:00');
    expect(formatTime(null)).toBe('never');
  });
});
