import { Writable } from 'node:stream';
import type { Egress, Sandbox } from '@errand/sandbox';
import { expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { BrowserProcess } from './browser-process.ts';

/** A sandbox in which the test is what speaks. */
class TalkingSandbox implements Pick<Sandbox, 'run'> {
  say = (_line: object): void => undefined;

  run({ talk, signal }: Parameters<Sandbox['run']>[0]): ReturnType<Sandbox['run']> {
    talk?.begin(new Writable({ write: (_chunk, _encoding, done) => done() }));
    this.say = (line) => talk?.receive(Buffer.from(`${JSON.stringify(line)}\n`));
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}

it('reads pictures only while somebody watches, and no more of them than the driver would send', async () => {
  const clock = new TestClock();
  const sandbox = new TalkingSandbox();
  const widths: number[] = [];
  const browser = new BrowserProcess({
    ...{ sandbox, clock, program: '/chromium', workspace: { root: '/none' }, session: null },
    egress: {} as Egress,
    onPicture: ({ width }) => widths.push(width),
  });
  const show = (width: number) => sandbox.say({ picture: { data: 'aaaa', width, height: 1 } });
  show(1);
  browser.command({ do: 'watch', on: true });
  show(2);
  expect(widths).toEqual([2]);
  for (let more = 0; more < 1000; more += 1) show(3);
  expect(widths.length).toBeLessThan(100);
  await clock.advance(1000);
  show(4);
  expect(widths.at(-1)).toBe(4);
  browser.command({ do: 'watch', on: false });
  await clock.advance(1000);
  show(5);
  expect(widths.at(-1)).toBe(4);
  await browser.close();
});
