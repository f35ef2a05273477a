import { describe, expect, it } from 'vitest';
import { firstEvents, messageEvents, stopEvents } from './task-command.ts';
import { taskStatuses, type UserMessage } from '../events/task-event.ts';
import { applyEvents } from './task-status.ts';

const message: UserMessage = { type: 'user_message', text: 'hello', kind: 'text' };

describe('a message', () => {
  it('sets a task in any state to running, and reports it immediately', () => {
    for (const status of taskStatuses) {
      const events = messageEvents(status, message);
      expect(applyEvents(status, events)).toBe('running');
      expect(events[0]).toBe(message);
      expect(events.slice(1).map(({ type }) => type)).toEqual(status === 'running' ? [] : ['running']);
    }
  });

  it('starts a task', () => {
    expect(firstEvents(message)).toEqual([message, { type: 'running', brief: 'Started' }]);
    expect(applyEvents('running', firstEvents(message))).toBe('running');
  });
});

describe('a stop', () => {
  it('ends an active task and has no effect on any other', () => {
    for (const status of ['running', 'waiting'] as const) {
      expect(stopEvents(status)).toEqual([{ type: 'user_stopped' }, { type: 'stopped', by: 'user' }]);
      expect(applyEvents(status, stopEvents(status))).toBe('stopped');
    }
    expect(stopEvents('stopped')).toEqual([]);
    expect(stopEvents('error')).toEqual([]);
  });
});
