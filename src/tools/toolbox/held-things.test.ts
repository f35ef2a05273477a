import { describe, expect, it } from 'vitest';
import { type Held, HeldThings } from './held-things.ts';

/** Something that is gone only once `finish` is called. */
function slowThing() {
  let finish: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (finish = resolve));
  const thing: Held = { list: () => [], listKnown: () => [], close: () => gone };
  return { thing, finish };
}

describe('what a task holds', () => {
  it('is gone when its end settles, also if its end has already begun elsewhere', async () => {
    const held = new HeldThings();
    const { thing, finish } = slowThing();
    held.keep('sandbox', () => thing);
    const order: string[] = [];
    const first = held.abandon();
    const second = held.abandon().then(() => order.push('abandoned'));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('finished');
    finish();
    await Promise.all([first, second]);
    expect(order).toEqual(['finished', 'abandoned']);
  });

  it('is waited for whole if the end of a part of it fails', async () => {
    const held = new HeldThings();
    const { thing, finish } = slowThing();
    held.keep('broken', () => ({ ...thing, close: () => Promise.reject(new Error('cannot be closed')) }));
    held.keep('sandbox', () => thing);
    let isOver = false;
    const over = held.abandon().then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    finish();
    await over;
  });

  it('is gone as well if it was made after the end', async () => {
    const held = new HeldThings();
    await held.abandon();
    const { thing, finish } = slowThing();
    held.keep('sandbox', () => thing);
    let isOver = false;
    const over = held.abandon().then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    finish();
    await over;
  });
});
