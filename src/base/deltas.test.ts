import { expect, it } from 'vitest';
import { type Delta, LocalDeltas } from './deltas.ts';

it('gives a delta to the readers of its task, until they end their subscription', () => {
  const deltas = new LocalDeltas();
  const read: [string, Delta][] = [];
  const end = deltas.subscribe('t1', (delta) => read.push(['first', delta]));
  deltas.subscribe('t1', (delta) => read.push(['second', delta]));
  deltas.subscribe('t2', (delta) => read.push(['other', delta]));
  const [one, two] = [
    { step: 1, attempt: 1, text: 'Hel' },
    { step: 1, attempt: 1, text: 'lo' },
  ];
  deltas.publish('t1', one);
  end();
  end();
  deltas.publish('t1', two);
  deltas.publish('t3', two);
  expect(read).toEqual([
    ['first', one],
    ['second', one],
    ['second', two],
  ]);
});
