import { describe, expect, it } from 'vitest';
import { type Service, serviceGroup } from './service-lifecycle.ts';

type Note = (text: string) => void;

function makeService(name: string, note: Note, faults: { start?: boolean; stop?: boolean } = {}): Service {
  const act = async (what: 'start' | 'stop') => {
    note(`${name} ${what}s`);
    await Promise.resolve();
    if (faults[what]) throw new Error(`${name} cannot ${what}`);
  };
  return { name, start: () => act('start'), stop: () => act('stop') };
}

/** Knows whether it runs, and takes a turn of the event loop for each change. */
class Switch implements Service {
  readonly name = 'switch';
  isOn = false;
  async start(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.isOn = true;
  }
  async stop(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.isOn = false;
  }
}

describe('serviceGroup', () => {
  it('starts in order and stops in reverse', async () => {
    const notes: string[] = [];
    const group = serviceGroup(
      'all',
      ['a', 'b'].map((name) => makeService(name, (text) => notes.push(text))),
    );
    await group.start();
    await group.stop();
    expect(notes).toEqual(['a starts', 'b starts', 'b stops', 'a stops']);
  });

  it('stops the started services when a start fails, and reports the cause', async () => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    const group = serviceGroup('all', [
      makeService('a', note, { stop: true }),
      makeService('b', note),
      makeService('c', note, { start: true }),
    ]);
    await expect(group.start()).rejects.toThrow('c cannot start');
    expect(notes).toEqual(['a starts', 'b starts', 'c starts', 'b stops', 'a stops']);
  });

  it('stops all the others when one cannot be stopped', async () => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    const group = serviceGroup('all', [makeService('a', note), makeService('b', note, { stop: true })]);
    await group.start();
    await expect(group.stop()).rejects.toThrow('b cannot stop');
    expect(notes.slice(2)).toEqual(['b stops', 'a stops']);
  });

  it('has nothing running after a stop during a start', async () => {
    const services = [new Switch(), new Switch(), new Switch()];
    const group = serviceGroup('all', services);
    const starting = group.start();
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([starting, group.stop()]);
    expect(services.map(({ isOn }) => isOn)).toEqual([false, false, false]);
    await Promise.all([group.stop(), group.start()]);
    expect(services.map(({ isOn }) => isOn)).toEqual([true, true, true]);
  });
});
