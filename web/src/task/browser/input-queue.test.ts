import { expect, it } from 'vitest';
import { type BrowserInput, InputQueue } from './input-queue.ts';

it('sends in order, one request at a time, and joins what is typed and scrolled meanwhile', async () => {
  const sent: BrowserInput[][] = [];
  let answer: () => void = () => undefined;
  const queue = new InputQueue((inputs) => {
    sent.push(inputs);
    return new Promise<void>((resolve) => (answer = resolve));
  });
  const click = { do: 'click', x: 1, y: 2 } as const;
  queue.add(click);
  for (const text of ['a', 'b', 'c']) queue.add({ do: 'type', text });
  queue.add({ do: 'press', keys: 'Enter' });
  for (const by_y of [10, 20]) queue.add({ do: 'scroll', x: 5, y: 5, by_y });
  expect(sent).toEqual([[click]]);
  answer();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]).toMatchObject([
    { do: 'type', text: 'abc' },
    { do: 'press', keys: 'Enter' },
    { do: 'scroll', by_y: 30 },
  ]);
});
