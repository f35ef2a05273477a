import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../transport/operations.ts';
import { TaskTurn } from './task-turn.ts';

let count = 0;

function event(type: string, payload: object): TaskEvent {
  return { id: `e${++count}`, type, [type]: payload };
}

function read(...events: TaskEvent[]): TaskTurn {
  const turn = new TaskTurn();
  for (const each of events) turn.read(each);
  return turn;
}

const said = (content: string) => event('user_message', { content });
const replied = (content: string) => event('assistant_message', { content });
const status = (agent_status: string, detail = {}) => event('status_update', { agent_status, brief: '', status_detail: detail });

describe('the turn of a task', () => {
  it('is over when it stops, with the newest reply', () => {
    const turn = read(said('hi'), status('running'), replied('one'), replied('two'), status('stopped'));
    expect(turn).toMatchObject({ isOver: true, status: 'stopped', message: 'two', question: null, error: null });
  });

  it('is over while it waits, with the question', () => {
    const turn = read(said('hi'), status('running'), status('waiting', { waiting_description: 'which?' }));
    expect(turn).toMatchObject({ isOver: true, status: 'waiting', question: 'which?' });
  });

  it('continues with the answer, and drops what the previous turn said', () => {
    const turn = read(
      said('hi'),
      replied('old'),
      status('waiting', { waiting_description: 'which?' }),
      said('blue'),
      status('running'),
    );
    expect(turn).toMatchObject({ isOver: false, message: null, question: null });
  });

  it('keeps the structured result that follows the stop', () => {
    const result = event('structured_output_result', { success: true, value: { a: 1 }, error: null });
    expect(read(said('hi'), status('stopped'), result)).toMatchObject({
      isOver: true,
      output: { success: true, value: { a: 1 }, error: null },
    });
  });

  it('keeps why it failed', () => {
    const turn = read(said('hi'), event('error_message', { error_type: 'model', content: 'no credit' }), status('error'));
    expect(turn).toMatchObject({ isOver: true, status: 'error', error: 'no credit' });
  });
});
