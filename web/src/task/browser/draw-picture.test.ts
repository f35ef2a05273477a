import { expect, it } from 'vitest';
import { paintInOrder } from './draw-picture.ts';

it('never paints a picture over a newer one, drops what is broken, and frees each', async () => {
  const unpacking = new Map<string, PromiseWithResolvers<{ name: string; close(): void } | null>>();
  const painted: string[] = [];
  const closed: string[] = [];
  const image = (name: string) => ({ name, close: () => closed.push(name) });
  const paint = paintInOrder(
    (name) => {
      const one = Promise.withResolvers<{ name: string; close(): void } | null>();
      unpacking.set(name, one);
      return one.promise;
    },
    ({ name }) => painted.push(name),
  );
  const all = ['first', 'second', 'third', 'broken'].map(paint);
  unpacking.get('second')?.resolve(image('second'));
  await all[1];
  unpacking.get('first')?.resolve(image('first'));
  unpacking.get('broken')?.resolve(null);
  unpacking.get('third')?.resolve(image('third'));
  await Promise.all(all);
  expect(painted).toEqual(['second', 'third']);
  expect(closed).toEqual(['second', 'first', 'third']);
});
