import { describe, expect, it } from 'vitest';
import { type TaskResource, TaskResources } from './task-resources.ts';

/** Something that is gone only once `finish` is called. */
function slowThing() {
  let finish: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (finish = resolve));
  const resource: TaskResource = { list: () => [], listKnown: () => [], close: () => gone };
  return { resource, finish };
}

describe('what a task holds', () => {
  it('is gone when its end settles, also if its end has already begun elsewhere', async () => {
    const resources = new TaskResources();
    const { resource, finish } = slowThing();
    resources.keep('sandbox', () => resource);
    const order: string[] = [];
    const first = resources.abandon();
    const second = resources.abandon().then(() => order.push('abandoned'));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('finished');
    finish();
    await Promise.all([first, second]);
    expect(order).toEqual(['finished', 'abandoned']);
  });

  it('is waited for whole if the end of a part of it fails', async () => {
    const resources = new TaskResources();
    const { resource, finish } = slowThing();
    resources.keep('broken', () => ({ ...resource, close: () => Promise.reject(new Error('cannot be closed')) }));
    resources.keep('sandbox', () => resource);
    let isOver = false;
    const over = resources.abandon().then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    finish();
    await over;
  });

  it('is gone as well if it was made after the end', async () => {
    const resources = new TaskResources();
    await resources.abandon();
    const { resource, finish } = slowThing();
    resources.keep('sandbox', () => resource);
    let isOver = false;
    const over = resources.abandon().then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    finish();
    await over;
  });
});
