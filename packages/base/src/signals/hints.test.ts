import { describe, expect, it } from 'vitest';
import { credentialsKey, deletedKey, dueKey, everythingKey, hintKey, LocalHints, taskKey } from './hints.ts';

describe('LocalHints', () => {
  it('calls subscribers of that hint and no others', () => {
    const hints = new LocalHints();
    const called: string[] = [];
    hints.subscribe(dueKey, () => called.push('due'));
    hints.subscribe(taskKey('t1'), () => called.push('t1'));
    hints.subscribe(taskKey('t1'), () => called.push('t1 too'));
    hints.subscribe(taskKey('t2'), () => called.push('t2'));
    hints.publish({ topic: 'task', taskId: 't1' });
    hints.publish({ topic: 'deleted' });
    expect(called).toEqual(['t1', 't1 too']);
  });

  it('stops calling after unsubscribing, even twice', () => {
    const hints = new LocalHints();
    const called: string[] = [];
    const end = hints.subscribe(dueKey, () => called.push('first'));
    hints.subscribe(dueKey, () => called.push('second'));
    end();
    end();
    hints.publish({ topic: 'due' });
    expect(called).toEqual(['second']);
  });

  it('lets a listener unsubscribe or subscribe another while it is called', () => {
    const hints = new LocalHints();
    const called: string[] = [];
    const end = hints.subscribe(dueKey, () => {
      called.push('once');
      end();
      hints.subscribe(dueKey, () => called.push('new'));
    });
    hints.publish({ topic: 'due' });
    hints.publish({ topic: 'due' });
    expect(called).toEqual(['once', 'new']);
  });

  it('calls all subscribers for the key of everything', () => {
    const hints = new LocalHints();
    const called: string[] = [];
    for (const key of [dueKey, deletedKey, credentialsKey, taskKey('t1')]) hints.subscribe(key, () => called.push(key));
    hints.publishKey(everythingKey);
    expect(called).toEqual(['due', 'deleted', 'credentials', 'task:t1']);
  });

  it('names each topic by the key that subscribers use', () => {
    expect(hintKey({ topic: 'due' })).toBe(dueKey);
    expect(hintKey({ topic: 'deleted' })).toBe(deletedKey);
    expect(hintKey({ topic: 'credentials' })).toBe(credentialsKey);
    expect(hintKey({ topic: 'task', taskId: 'x' })).toBe(taskKey('x'));
  });
});
