import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '@errand/base/log.ts';
import { UsageMeter } from './resource-meter.ts';

/** Dies when asked about process 13, and cannot measure process 5. */
const source = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id, question: { pid } }) => {
  if (pid === 13) throw new Error('broken');
  parentPort.postMessage(pid === 5 ? { id, failure: new Error('unreadable') } : { id, usage: { bytes: pid } });
});`;
const fragile = new URL(`data:text/javascript,${encodeURIComponent(source)}`);

let meter: UsageMeter;
let lines: string[];

function open(): void {
  lines = [];
  const destination = new PassThrough().setEncoding('utf8').on('data', (line: string) => lines.push(line));
  meter = new UsageMeter(createLog('info', destination), fragile);
}

async function ask(pid: number): Promise<number | string> {
  return meter.measure({ kind: 'memory', pid, limitBytes: 1, firstSharedBytes: null }).then(
    ({ bytes }) => bytes,
    (error: Error) => error.message,
  );
}

afterEach(() => meter.close());

describe('the thread that measures sandboxes', () => {
  it('reports a sandbox that cannot be measured without affecting the others', async () => {
    open();
    expect(await Promise.all([ask(2), ask(5), ask(3)])).toEqual([2, 'unreadable', 3]);
    expect(lines).toEqual([]);
  });

  it('is restarted and logged when it dies, and only the sandbox that killed it is affected', async () => {
    open();
    const asked = [2, 13, 3, 4].map(ask);
    expect(await Promise.all(asked)).toEqual([2, 'measuring this sandbox ends the thread', 3, 4]);
    expect(await Promise.all([ask(6), ask(7)])).toEqual([6, 7]);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines[0]).toContain('the thread that measures sandboxes died');
    expect(lines[0]).toContain('broken');
  });

  it('repeats all measurements requested before it died', async () => {
    open();
    const first = ask(13);
    const second = ask(13);
    expect(await Promise.all([first, ask(8), second])).toEqual([
      'measuring this sandbox ends the thread',
      8,
      'measuring this sandbox ends the thread',
    ]);
  });
});
