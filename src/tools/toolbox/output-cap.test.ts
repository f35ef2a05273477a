import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '@errand/base/fault.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import { splitWorkspacePath } from '@errand/sandbox/workspace-path';
import { capOutput, outputLimitBytes, takeHead, takeTail } from './output-cap.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

/** A workspace that only records writes. */
function recordWrites() {
  const files = new Map<string, string>();
  const workspace: Workspace = {
    root: '/none',
    read: () => Promise.reject(new Error('not read here')),
    stream: () => {
      throw new Error('not read here');
    },
    readStart: () => Promise.reject(new Error('not read here')),
    hold: () => Promise.reject(new Error('not held here')),
    remove: () => Promise.reject(new Error('not removed here')),
    list: () => Promise.reject(new Error('not listed here')),
    receive: () => Promise.reject(new Error('not received here')),
    write(path, content) {
      files.set(splitWorkspacePath(path).join('/'), String(content));
      return Promise.resolve();
    },
  };
  return { files, workspace };
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\ud800', '\0', '\n') }),
);
const anyOutput = fc
  .tuple(anyText, fc.nat({ max: 20_000 }))
  .map(([text, times]) => text.repeat(Math.ceil(times / (text.length + 1))));

describe('cutting texts by bytes', () => {
  it('never cuts a character in two and takes as much as fits', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 60 }), (raw, maxBytes) => {
        const text = raw.toWellFormed();
        for (const [part, rest] of [
          [takeHead(text, maxBytes), text.slice(takeHead(text, maxBytes).length)],
          [takeTail(text, maxBytes), text.slice(0, text.length - takeTail(text, maxBytes).length)],
        ] as const) {
          expect(part.isWellFormed()).toBe(true);
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxBytes);
          if (rest !== '') expect(Buffer.byteLength(part)).toBeGreaterThan(maxBytes - 4);
        }
        expect(text.startsWith(takeHead(text, maxBytes))).toBe(true);
        expect(text.endsWith(takeTail(text, maxBytes))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('capping an output', () => {
  it('lets what is short through, and keeps head, tail and the whole of what is long', async () => {
    await fc.assert(
      fc.asyncProperty(anyOutput, fc.string(), async (output, callId) => {
        const { files, workspace } = recordWrites();
        const capped = await capOutput(output, callId, workspace);
        const clean = output.toWellFormed().replaceAll('\0', '\ufffd');
        expect(Buffer.byteLength(capped)).toBeLessThanOrEqual(outputLimitBytes);
        expect(capped.isWellFormed()).toBe(true);
        expect(capped).not.toContain('\0');
        if (Buffer.byteLength(clean) <= outputLimitBytes) {
          expect(capped).toBe(clean);
          expect(files.size).toBe(0);
          return;
        }
        const [path] = files.keys();
        expect(path).toMatch(/^\.tool-output\/[A-Za-z0-9_-]+\.txt$/);
        expect(files.get(path ?? '')).toBe(clean);
        expect(capped).toContain(path);
        expect(capped.slice(0, 3000)).toBe(clean.slice(0, 3000));
        expect(capped.slice(-1500)).toBe(clean.slice(-1500));
      }),
    );
  });

  it('gives a repeated call the same text, and another call of the same id another file', async () => {
    const { files, workspace } = recordWrites();
    const first = await capOutput('x'.repeat(20_000), 'call_0', workspace);
    expect(await capOutput('x'.repeat(20_000), 'call_0', workspace)).toBe(first);
    expect(files.size).toBe(1);
    await capOutput('y'.repeat(20_000), 'call_0', workspace);
    expect(files.size).toBe(2);
  });

  it('still gives head and tail when the whole cannot be written', async () => {
    const workspace = { ...recordWrites().workspace, write: () => Promise.reject(new Fault('unavailable', 'The disk is full.')) };
    const capped = await capOutput(`head${'x'.repeat(20_000)}tail`, 'call', workspace);
    expect(capped).toMatch(/^head.*could not be saved.*tail$/s);
  });

  it('keeps of a huge output as much as a file may have', async () => {
    const { files, workspace } = recordWrites();
    const capped = await capOutput('é'.repeat(6 * 1024 * 1024), 'call', workspace);
    expect(Buffer.byteLength([...files.values()][0] ?? '')).toBe(10 * 1024 * 1024);
    expect(capped).toContain('Its first 10485760 bytes are in');
  });
});
