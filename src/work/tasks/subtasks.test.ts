import { describe, expect, it } from 'vitest';
import { call, reply, type Script, say } from '../../../test/support/tasks/agent-under-test.ts';
import { sampleTask } from '../../../test/support/db/store-samples.ts';
import { ttlMs, WorkersUnderTest } from '../../../test/support/tasks/workers-under-test.ts';
import { subtaskIdOf } from '../../agent/subtask-step.ts';
import { freshTrust } from '../../rules/egress/trust.ts';
import { readLog } from '../../store/events/events.ts';
import { deleteTask, getTask, createTask, stopTask } from '../../store/tasks/tasks.ts';
import { createSubtaskTool } from '../../tools/tasks/create-subtask.ts';

const accountId = 'a1';
const draft = (title: string) => ({ title, instructions: `Do ${title}.` });
const firstText: (request: Parameters<Script>[0]) => string = ({ transcript: [first] }) =>
  first?.role === 'user' ? first.text : '';

/** A main task that splits its work in two; each half answers with its name. */
const splitting: Script = (request) => {
  const text = firstText(request);
  if (text.startsWith('Do ')) return say(`${text.slice(3)} is done`);
  if (request.transcript.length > 1) return say('All done.');
  return reply(call('create_subtask', 'c1', draft('left')), call('create_subtask', 'c2', draft('right')));
};

function workersFor(script: Script): WorkersUnderTest {
  return new WorkersUnderTest(script, [createSubtaskTool]);
}

async function readResults(workers: WorkersUnderTest, taskId: string) {
  const log = await workers.database.run(readLog, { accountId, taskId, afterSeq: 0, limit: 1000 });
  return log.flatMap(({ event }) => (event.type === 'tool_finished' ? [event] : []));
}

const statusOf = (workers: WorkersUnderTest, taskId: string) => workers.readStatus(accountId, taskId);

describe('a task that creates subtasks', () => {
  it('waits for them without occupying a slot, and receives their replies', async () => {
    const workers = workersFor(splitting);
    // One slot: a parent that held it while waiting would wait forever.
    const worker = workers.makeWorker(1);
    await worker.start();
    const [taskId = ''] = await workers.create(accountId, 1);
    await workers.clock.advance(0);
    expect(await statusOf(workers, taskId)).toBe('stopped');
    const results = await readResults(workers, taskId);
    const ids = ['c1', 'c2'].map((callId) => subtaskIdOf(taskId, callId));
    // They run concurrently: either may end first.
    const inOrder = results.toSorted((a, b) => (a.callId < b.callId ? -1 : 1));
    const reported = inOrder.map(({ callId, status, output }) => [callId, status, output]);
    expect(reported).toEqual([
      ['c1', 'success', `The subtask has ended. (task ${ids[0]})\nleft. is done`],
      ['c2', 'success', `The subtask has ended. (task ${ids[1]})\nright. is done`],
    ]);
    for (const id of ids) {
      const task = await workers.database.run(getTask, { accountId, taskId: id });
      expect(task).toMatchObject({
        taskType: 'agent_subtask',
        status: 'stopped',
        isInteractive: false,
        agentId: expect.any(String) as string,
      });
    }
    await worker.stop();
    expect(workers.clock.timerCount).toBe(0);
  });

  it('grants them no more than it has itself: its connectors, and what its project allows', async () => {
    const workers = workersFor(splitting);
    const worker = workers.makeWorker(4);
    const message = { type: 'user_message' as const, text: 'x', kind: 'text' as const, connectorGrant: ['c1'] };
    const bounds = { connectors: ['c1', 'c2'], actions: 'refuse' as const, projectId: 'p1' };
    const task = sampleTask(accountId, { message, taskConfig: { ...bounds, persona: { nickname: 'Ann', about: '' } } });
    await workers.database.run(createTask, task);
    await worker.start();
    await workers.clock.advance(0);
    const place = { accountId, taskId: subtaskIdOf(task.taskId, 'c1'), afterSeq: 0, limit: 10 };
    const events = (await workers.database.run(readLog, place)).map(({ event }) => event);
    expect(events[0]).toEqual({ type: 'equipped', ...bounds, approvals: [] });
    expect(events[1]).toMatchObject({ type: 'user_message', connectorGrant: ['c1'] });
    await worker.stop();
  });

  it('creates none twice, wherever its worker dies', async () => {
    for (let at = 1; at <= 12; at += 1) {
      const workers = workersFor(splitting);
      let writes = 0;
      workers.database.interference.after = ({ operation }) => {
        if (!['leases.append', 'subtasks.create', 'tasks.suspend', 'subtasks.wakeParent'].includes(operation)) return;
        writes += 1;
        if (writes === at) throw new Error('killed');
      };
      const worker = workers.makeWorker(4);
      await worker.start();
      const [taskId = ''] = await workers.create(accountId, 1);
      for (let rounds = 0; rounds < 10 && (await statusOf(workers, taskId)) === 'running'; rounds += 1)
        await workers.clock.advance(ttlMs);
      expect(await statusOf(workers, taskId), `killed after write ${at}`).toBe('stopped');
      const said = (await readResults(workers, taskId)).map(({ output }) => output.split('\n')[1]);
      expect(new Set(said)).toEqual(new Set(['left. is done', 'right. is done']));
      expect(said).toHaveLength(2);
      const subtasks = workers.model.requests.filter((request) => firstText(request).startsWith('Do '));
      expect(new Set(subtasks.map(firstText)).size).toBe(2);
      await worker.stop();
    }
  });

  it('stops them when it is stopped, and deletes them when it is deleted', async () => {
    const held: Script = (request, { signal }) =>
      firstText(request).startsWith('Do ')
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
        : splitting(request, { signal, onText: () => undefined });
    const workers = workersFor(held);
    const worker = workers.makeWorker(4);
    await worker.start();
    const [taskId = ''] = await workers.create(accountId, 1);
    await workers.clock.advance(0);
    const ids = ['c1', 'c2'].map((callId) => subtaskIdOf(taskId, callId));
    for (const id of ids) expect(await statusOf(workers, id)).toBe('running');
    const { subtaskIds } = await workers.database.run(stopTask, { accountId, taskId, now: workers.clock.now() });
    expect(new Set(subtaskIds)).toEqual(new Set(ids));
    await workers.clock.advance(0);
    for (const id of [taskId, ...ids]) expect(await statusOf(workers, id)).toBe('stopped');
    await expect(workers.database.run(deleteTask, { accountId, taskId: ids[0] ?? '' })).rejects.toThrow('cannot be deleted');
    await workers.database.run(deleteTask, { accountId, taskId });
    for (const id of [taskId, ...ids]) await expect(statusOf(workers, id)).rejects.toThrow('task not found');
    await worker.stop();
  });

  it('is limited to two levels, and fifty in total', async () => {
    const endless: Script = ({ transcript, tools }) => {
      if (transcript.length > 1) return say('enough');
      return tools.some(({ name }) => name === 'create_subtask')
        ? reply(call('create_subtask', 'c1', draft('more')))
        : say('too deep');
    };
    const deep = workersFor(endless);
    const worker = deep.makeWorker(2);
    await worker.start();
    const [taskId = ''] = await deep.create(accountId, 1);
    await deep.clock.advance(0);
    const [result] = await readResults(deep, subtaskIdOf(taskId, 'c1'));
    expect(result?.output).toContain('too deep');
    await worker.stop();

    const many: Script = (request) => {
      if (firstText(request).startsWith('Do ')) return say('ok');
      const calls = Array.from({ length: 60 }, (_, index) => call('create_subtask', `c${index}`, draft(`${index}`)));
      return request.transcript.length > 1 ? say('enough') : reply(...calls);
    };
    const wide = workersFor(many);
    const other = wide.makeWorker(20);
    await other.start();
    const [wideId = ''] = await wide.create(accountId, 1);
    await wide.clock.advance(0);
    const outputs = (await readResults(wide, wideId)).map(({ output }) => output);
    expect(outputs.filter((output) => output.includes('can have 50'))).toHaveLength(10);
    expect(outputs.filter((output) => output.includes('has ended'))).toHaveLength(50);
    await other.stop();
  });

  it('passes on its taints and receives theirs; their instructions allow no hosts', async () => {
    const workers = workersFor(splitting);
    const inherited = { ...freshTrust, isPrivate: true, hosts: ['named.test'] };
    const message = { type: 'user_message' as const, text: 'Use evil.test', kind: 'text' as const, inherited };
    const task = sampleTask(accountId, { message, isInteractive: false });
    await workers.database.run(createTask, task);
    const worker = workers.makeWorker(4);
    await worker.start();
    await workers.clock.advance(0);
    const subtask = subtaskIdOf(task.taskId, 'c1');
    const [first] = await workers.database.run(readLog, { accountId, taskId: subtask, afterSeq: 0, limit: 1 });
    expect(first?.event).toMatchObject({ inherited: { isPrivate: true, isUntrusted: false, hosts: ['named.test'] } });
    expect((await readResults(workers, task.taskId)).map(({ taints }) => taints)).toEqual([['private'], ['private']]);
    await worker.stop();
  });

  it('receives the reason for an invalid request', async () => {
    const workers = workersFor(({ transcript }) =>
      transcript.length > 1 ? say('ok') : reply(call('create_subtask', 'c1', { title: '', files: ['../x'] })),
    );
    const worker = workers.makeWorker(1);
    await worker.start();
    const [taskId = ''] = await workers.create(accountId, 1);
    await workers.clock.advance(0);
    const [result] = await readResults(workers, taskId);
    expect(result).toMatchObject({ status: 'error', output: expect.stringContaining('instructions') as string });
    await worker.stop();
  });
});
