import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { CommandFault } from '../exit-code.ts';
import type { Connection, StreamItem } from '../transport/connection.ts';
import type { TaskEvent } from '../transport/operations.ts';
import { ConnectionLost } from '../transport/transport.ts';
import { followTask } from './task-follower.ts';

function status(id: string, agent_status: string): TaskEvent {
  return { id, type: 'status_update', status_update: { agent_status, brief: '' } };
}

function said(id: string): TaskEvent {
  return { id, type: 'user_message', user_message: { content: 'go on' } };
}

/** A service whose connections break after so many events each; with none left they hold until the signal aborts. */
class BrittleService implements Connection {
  readonly kind = 'remote';
  readonly asked: (string | null)[] = [];
  readonly log: TaskEvent[];
  readonly breaks: (number | Error)[];
  detail: () => object = () => ({ task: {} });

  constructor(log: TaskEvent[], breaks: (number | Error)[] = []) {
    this.log = log;
    this.breaks = breaks;
  }

  call = (async (name: string) =>
    name === 'task.listMessages' ? { messages: this.log.slice(-1) } : this.detail()) as Connection['call'];

  async *stream(_taskId: string, lastEventId: string | null, signal: AbortSignal): AsyncGenerator<StreamItem> {
    this.asked.push(lastEventId);
    const end = this.breaks.shift() ?? Number.POSITIVE_INFINITY;
    if (end instanceof Error) throw end;
    const from = this.log.findIndex(({ id }) => id === lastEventId) + 1;
    for (const event of this.log.slice(from, from + end)) yield { kind: 'event', event };
    if (end !== Number.POSITIVE_INFINITY) return;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }

  async close(): Promise<void> {}
}

function follow(service: BrittleService, clock = new TestClock(), signal = new AbortController().signal) {
  const seen: string[] = [];
  const troubles: string[] = [];
  const turn = followTask(service, 't', {
    clock,
    signal,
    onItem: (item) => item.kind === 'event' && seen.push(item.event.id),
    onTrouble: (problem) => troubles.push(problem),
  });
  return { turn, seen, troubles, clock };
}

const log = [said('1'), status('2', 'running'), status('3', 'stopped')];

describe('following a task', () => {
  it('ends with the end of its turn', async () => {
    const { turn, seen } = follow(new BrittleService(log));
    expect(await turn).toMatchObject({ status: 'stopped', isOver: true });
    expect(seen).toEqual(['1', '2', '3']);
  });

  it('continues past an old stop of a task that resumed', async () => {
    const { turn, seen } = follow(new BrittleService([...log, said('4'), status('5', 'running'), status('6', 'waiting')]));
    expect(await turn).toMatchObject({ status: 'waiting' });
    expect(seen).toHaveLength(6);
  });

  it('resumes after the last event when the connection breaks: none is lost, none is repeated', async () => {
    const service = new BrittleService(log, [1, new ConnectionLost('gone'), 0, 1]);
    const { turn, seen, troubles, clock } = follow(service);
    await clock.advance(10_000);
    expect(await turn).toMatchObject({ status: 'stopped' });
    expect(seen).toEqual(['1', '2', '3']);
    expect(service.asked).toEqual([null, '1', '1', '1', '2']);
    // Told once an outage, not once an attempt.
    expect(troubles).toEqual(['the service ended the stream', 'the service ended the stream']);
  });

  it('gives up on a service that is unreachable for minutes', async () => {
    const gone = Array.from({ length: 1000 }, () => new ConnectionLost('gone'));
    const { turn, clock } = follow(new BrittleService(log, gone));
    const end = expect(turn).rejects.toThrow('gone; the task itself may continue');
    await clock.advance(180_000);
    await end;
  });

  it('ends immediately with a permanent error', async () => {
    const { turn } = follow(new BrittleService(log, [new CommandFault('task not found', { code: 'not_found' })]));
    await expect(turn).rejects.toThrow('task not found');
  });

  it('reports a task that was deleted meanwhile', async () => {
    const service = new BrittleService(log, [1]);
    service.detail = () => {
      throw new CommandFault('task not found', { code: 'not_found' });
    };
    await expect(follow(service).turn).rejects.toThrow('task not found');
  });

  it('ends when interrupted, with the current state of the turn', async () => {
    const interrupt = new AbortController();
    const { turn, seen, clock } = follow(new BrittleService(log.slice(0, 2)), new TestClock(), interrupt.signal);
    await clock.advance(0);
    expect(seen).toEqual(['1', '2']);
    interrupt.abort();
    expect(await turn).toMatchObject({ isOver: false, status: 'running' });
  });
});
