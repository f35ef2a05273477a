import type { StreamItem } from '@errand/client';
import { describe, expect, it } from 'vitest';
import { createLogReader, emptyLog } from './task-log.ts';

const delta = (text: string, at: number, step = 1, attempt = 1): StreamItem => ({
  kind: 'delta',
  delta: { step, attempt, at, text },
});
const said = (id: string, content: string): StreamItem => ({
  kind: 'event',
  event: { id, type: 'assistant_message', timestamp: 1, assistant_message: { content, attachments: [] } },
});
const became = (id: string, agent_status: 'running' | 'waiting', waiting_description?: string): StreamItem => ({
  kind: 'event',
  event: {
    id,
    type: 'status_update',
    timestamp: 1,
    status_update: {
      agent_status,
      brief: '',
      description: '',
      status_detail: waiting_description === undefined ? {} : { waiting_description },
    },
  },
});
const readAll = (items: readonly StreamItem[]) => items.reduce(createLogReader(), emptyLog);

describe('what is known of a task', () => {
  it('has each event once, however often the stream sends it', () => {
    const { events } = readAll([said('1', 'a'), said('2', 'b'), said('1', 'a')]);
    expect(events.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('has the reply as it is written, which a new attempt restarts and the message ends', () => {
    expect(readAll([delta('Hel', 0), delta('lo', 3)]).draft).toBe('Hello');
    expect(readAll([delta('Hel', 0), delta('Good', 0, 1, 2)]).draft).toBe('Good');
    expect(readAll([delta('Hel', 0), said('1', 'Hello')]).draft).toBe('');
  });

  it('has nothing of a reply whose beginning it missed', () => {
    expect(readAll([delta('lo', 3)]).draft).toBe('');
  });

  it('has the question while the task waits, and no longer', () => {
    expect(readAll([became('1', 'waiting', 'Which color?')])).toMatchObject({ status: 'waiting', question: 'Which color?' });
    expect(readAll([became('1', 'waiting', 'Which color?'), became('2', 'running')])).toMatchObject({
      status: 'running',
      question: null,
    });
  });
});
