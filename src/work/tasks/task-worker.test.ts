import { describe, expect, it } from 'vitest';
import { call, noteTool, reply, type Script, say } from '../../../test/support/tasks/agent-under-test.ts';
import { drainMs, ttlMs, WorkersUnderTest } from '../../../test/support/tasks/workers-under-test.ts';
import { claimTasks } from '../../store/tasks/claims/task-claims.ts';
import { releaseLeases } from '../../store/tasks/lease-ends.ts';
import { stopTask } from '../../store/tasks/tasks.ts';
import { listWorkers } from '../../store/tasks/workers/workers.ts';
import type { TaskWorker } from './task-worker.ts';

/** A model whose calls wait until the test releases them. */
function heldBack() {
  const waiting: { name: string; signal: AbortSignal; end(): void }[] = [];
  const script: Script = ({ transcript }, { signal }) =>
    new Promise((resolve, reject) => {
      const first = transcript[0];
      const entry = { name: first?.role === 'user' ? first.text : '', signal, end: () => settle(() => resolve(say('Done.'))) };
      const settle = (act: () => void) => {
        const at = waiting.indexOf(entry);
        if (at >= 0) waiting.splice(at, 1);
        act();
      };
      signal.addEventListener('abort', () => settle(() => reject(signal.reason as Error)));
      waiting.push(entry);
    });
  return { script, waiting };
}

const tick = async (workers: WorkersUnderTest, ms = 0) => workers.clock.advance(ms);

/** Until these tasks have stopped, without time passing. */
async function waitForEnds(workers: WorkersUnderTest, ids: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      await tick(workers);
      return Promise.all(ids.map((id) => workers.readStatus('a1', id)));
    })
    .toEqual(ids.map(() => 'stopped'));
}

/** Stops a worker whose running steps never end. */
async function cut(workers: WorkersUnderTest, worker: TaskWorker): Promise<void> {
  const stopping = worker.stop();
  await tick(workers, drainMs);
  await stopping;
}

describe('TaskWorker', () => {
  it('runs tasks to completion as soon as they are created', async () => {
    const workers = new WorkersUnderTest(() => say('Done.'));
    const worker = workers.makeWorker(10);
    await worker.start();
    const ids = await workers.create('a1', 25);
    await waitForEnds(workers, ids);
    await worker.stop();
    expect(workers.clock.timerCount).toBe(0);
  });

  it('never runs more tasks at once than configured', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const worker = workers.makeWorker(7);
    await worker.start();
    const ids = await workers.create('a1', 30);
    let most = 0;
    for (let ended = 0; ended < 30; ended += 1) {
      await tick(workers);
      most = Math.max(most, waiting.length);
      expect(waiting.length).toBeLessThanOrEqual(7);
      waiting[ended % waiting.length]?.end();
    }
    await tick(workers);
    expect(most).toBe(7);
    for (const id of ids) expect(await workers.readStatus('a1', id)).toBe('stopped');
    await worker.stop();
  });

  it('finds a task whose hint is lost at the next poll', async () => {
    const workers = new WorkersUnderTest(() => say('Done.'));
    const worker = workers.makeWorker(1);
    await worker.start();
    await tick(workers);
    workers.database.hints.publish = () => undefined;
    const [id = ''] = await workers.create('a1', 1);
    await tick(workers, 1000);
    expect(await workers.readStatus('a1', id)).toBe('stopped');
    await worker.stop();
  });

  it('gives a new account a slot after the next step, even if another account has taken all slots', async () => {
    const steps = new Map<string, number>();
    const { script: hold, waiting } = heldBack();
    const script: Script = async (request, options) => {
      await hold(request, options);
      const first = request.transcript[0];
      const name = first?.role === 'user' ? first.text : '';
      steps.set(name, (steps.get(name) ?? 0) + 1);
      return name.startsWith('big') ? reply(call('read', `c${steps.get(name)}`)) : say('Done.');
    };
    const workers = new WorkersUnderTest(script, [noteTool('read', 'retry', () => 'x')]);
    const worker = workers.makeWorker(3);
    await worker.start();
    await workers.create('big', 20);
    await tick(workers, 1000);
    expect(waiting.map(({ name }) => name)).toHaveLength(3);
    const [id = ''] = await workers.create('small', 1);
    await tick(workers, 1000);
    // The first of the three to finish its step gives up its slot, not one chosen in advance.
    waiting[2]?.end();
    await tick(workers);
    waiting.find(({ name }) => name === 'big 2')?.end();
    await tick(workers);
    waiting.find(({ name }) => name.startsWith('small'))?.end();
    await tick(workers);
    expect(await workers.readStatus('small', id)).toBe('stopped');
    expect(waiting).toHaveLength(3);
    await cut(workers, worker);
  });

  it('hands tasks over to another worker when it stops, without losing a step or counting a crash', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const [one, two] = [workers.makeWorker(4), workers.makeWorker(4)];
    await one.start();
    const ids = await workers.create('a1', 4);
    await tick(workers);
    const stopping = one.stop();
    await tick(workers);
    // Two finish while the worker waits for them, two are cut off.
    waiting[0]?.end();
    waiting[0]?.end();
    await tick(workers, drainMs - 1);
    expect(waiting).toHaveLength(2);
    await tick(workers, 1);
    await stopping;
    expect(waiting).toHaveLength(0);
    expect(workers.clock.timerCount).toBe(0);
    await two.start();
    await tick(workers);
    for (const held of [...waiting]) held.end();
    await tick(workers);
    for (const id of ids) expect(await workers.readStatus('a1', id)).toBe('stopped');
    await two.stop();
    expect(
      (
        await workers.database.run(claimTasks, {
          workerId: 'x',
          ttlMs,
          slots: 9,
          held: [],
          afterAccount: '',
          canTakeQuarantined: true,
          isIdle: true,
        })
      ).tasks,
    ).toEqual([]);
  });

  it('that is drained takes no task, hands over what it holds at the end of its step, and takes tasks again later', async () => {
    const { script: hold, waiting } = heldBack();
    const script: Script = async (request, options) => {
      await hold(request, options);
      return request.transcript.some(({ role }) => role === 'tool') ? say('Done.') : reply(call('read', 'c1'));
    };
    const workers = new WorkersUnderTest(script, [noteTool('read', 'retry', () => 'x')]);
    const holders = async () =>
      Object.fromEntries((await workers.database.run(listWorkers, null)).map(({ id, tasks }) => [id, tasks]));
    const [one, two] = [workers.makeWorker(4), workers.makeWorker(4)];
    await one.start();
    const ids = await workers.create('a1', 2);
    await tick(workers);
    one.setDraining(true);
    ids.push(...(await workers.create('a1', 1)));
    await tick(workers, 2000);
    expect([waiting.length, await holders()]).toEqual([2, { w1: 2 }]);
    await two.start();
    await tick(workers);
    expect([waiting.length, await holders()]).toEqual([3, { w1: 2, w2: 1 }]);
    for (const held of [...waiting]) held.end();
    await tick(workers, 2000);
    expect([waiting.length, await holders()]).toEqual([3, { w2: 3 }]);
    two.setDraining(true);
    one.setDraining(false);
    for (const held of [...waiting]) held.end();
    await waitForEnds(workers, ids);
    ids.push(...(await workers.create('a1', 1)));
    await tick(workers);
    expect(await holders()).toEqual({ w1: 1 });
    for (const id of ids.slice(0, 3)) {
      const types = await workers.readTypes('a1', id);
      expect(types.filter((type) => type === 'tool_finished')).toHaveLength(1);
    }
    await cut(workers, one);
    await two.stop();
  });

  it('keeps its leases alive while it drains', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const [one, two] = [workers.makeWorker(1), workers.makeWorker(1)];
    await one.start();
    await workers.create('a1', 1);
    await tick(workers, 14_000);
    const stopping = one.stop();
    await two.start();
    await tick(workers, drainMs - 1);
    expect(waiting).toHaveLength(1);
    await tick(workers, 1);
    await stopping;
    await tick(workers);
    expect(waiting).toHaveLength(1);
    waiting[0]?.end();
    await two.stop();
  });

  it('takes over the task of a dead worker after its lease and one poll', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const [dead, alive] = [workers.makeWorker(1), workers.makeWorker(1)];
    await dead.start();
    const [id = ''] = await workers.create('a1', 1);
    await tick(workers);
    // Dead: it never reaches the store again.
    workers.database.interference.before = ({ args }) => {
      if (JSON.stringify(args).includes('"w1"')) throw new Error('the process is gone');
    };
    await alive.start();
    await tick(workers, ttlMs + 1000);
    waiting.at(-1)?.end();
    await tick(workers);
    expect(await workers.readStatus('a1', id)).toBe('stopped');
    expect((await workers.readTypes('a1', id)).filter((type) => type === 'stopped')).toHaveLength(1);
    await Promise.all([alive.stop(), dead.stop()]);
  });

  it('abandons a task that crashed three workers, without affecting others', async () => {
    const workers = new WorkersUnderTest(({ transcript }) => {
      const first = transcript[0];
      if (first?.role === 'user' && first.text === 'a1 0') throw new TypeError('poison');
      return say('Done.');
    });
    const worker = workers.makeWorker(10);
    await worker.start();
    const [poison = '', ...good] = await workers.create('a1', 20);
    await waitForEnds(workers, good);
    expect(await workers.readStatus('a1', poison)).toBe('running');
    await tick(workers, 3 * (ttlMs + 1000));
    expect(await workers.readStatus('a1', poison)).toBe('error');
    expect(workers.model.requests.filter(({ transcript }) => JSON.stringify(transcript[0]).includes('a1 0"'))).toHaveLength(3);
    await worker.stop();
  });

  it('abandons a task whose log is unreadable', async () => {
    const workers = new WorkersUnderTest(() => say('Done.'));
    const [id = ''] = await workers.create('a1', 1);
    workers.database.query("UPDATE events SET type = 'extract_delivered' WHERE seq = 2");
    const worker = workers.makeWorker(10);
    await worker.start();
    for (let takeover = 0; takeover < 4; takeover += 1) await tick(workers, ttlMs + 1000);
    expect(await workers.readStatus('a1', id)).toBe('error');
    await worker.stop();
  });

  it('does not count an outage of the store as crashes of its tasks', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const worker = workers.makeWorker(10);
    await worker.start();
    await workers.create('a1', 1);
    await tick(workers);
    expect(waiting).toHaveLength(1);
    workers.takeStoreAway();
    await tick(workers, 2 * ttlMs);
    workers.bringStoreBack();
    await tick(workers, 2000);
    expect(workers.database.query('SELECT crashes FROM tasks')).toEqual([{ crashes: 0 }]);
    await cut(workers, worker);
  });

  it('clears many quarantined tasks step by step, not task by task', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(
      async (request, options) => {
        if (request.transcript.length === 1) return reply(call('read', 'c1'));
        await script(request, options);
        return say('Done.');
      },
      [noteTool('read', 'retry', () => 'x')],
    );
    await workers.create('a1', 6);
    // Two machines have crashed while holding all of them.
    const crash = { ttlMs: -1, slots: 9, held: [], afterAccount: '', canTakeQuarantined: true, isIdle: true };
    await workers.database.run(claimTasks, { ...crash, workerId: 'x' });
    await workers.database.run(claimTasks, { ...crash, workerId: 'y' });
    const worker = workers.makeWorker(10);
    await worker.start();
    await tick(workers, 3000);
    expect(waiting).toHaveLength(6);
    for (const held of [...waiting]) held.end();
    await worker.stop();
  });

  it('resumes as soon as the store is back, without counting crashes', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const worker = workers.makeWorker(5);
    await worker.start();
    const ids = await workers.create('a1', 5);
    for (let outage = 0; outage < 4; outage += 1) {
      await tick(workers, 1000);
      expect(waiting).toHaveLength(5);
      workers.takeStoreAway();
      for (const held of [...waiting]) held.end();
      await tick(workers, 2000);
      workers.bringStoreBack();
    }
    await tick(workers, 1000);
    for (const held of [...waiting]) held.end();
    await tick(workers);
    for (const id of ids) expect(await workers.readStatus('a1', id)).toBe('stopped');
    await worker.stop();
  });

  it('resumes after an outage longer than its leases', async () => {
    const workers = new WorkersUnderTest(() => say('Done.'));
    const worker = workers.makeWorker(5);
    await worker.start();
    workers.takeStoreAway();
    await tick(workers, 5 * ttlMs);
    workers.bringStoreBack();
    const [id = ''] = await workers.create('a1', 1);
    await tick(workers, 1000);
    expect(await workers.readStatus('a1', id)).toBe('stopped');
    await worker.stop();
  });

  it('drops a stopped task immediately and reuses its slot', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const worker = workers.makeWorker(1);
    await worker.start();
    const [first = '', second = ''] = await workers.create('a1', 2);
    await tick(workers);
    expect(waiting.map(({ name }) => name)).toEqual(['a1 0']);
    await workers.database.run(stopTask, { accountId: 'a1', taskId: first, now: workers.clock.now() });
    await tick(workers);
    expect(waiting.map(({ name }) => name)).toEqual(['a1 1']);
    waiting[0]?.end();
    await tick(workers);
    expect(await workers.readStatus('a1', second)).toBe('stopped');
    await worker.stop();
  });

  it('aborts a stopped task at the next renewal if the hint is lost', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const worker = workers.makeWorker(1);
    await worker.start();
    const [id = ''] = await workers.create('a1', 1);
    await tick(workers);
    workers.database.hints.publish = () => undefined;
    await workers.database.run(stopTask, { accountId: 'a1', taskId: id, now: workers.clock.now() });
    await tick(workers);
    expect(waiting[0]?.signal.aborted).toBe(false);
    await tick(workers, ttlMs / 3);
    expect(waiting).toEqual([]);
    expect((await workers.readTypes('a1', id)).slice(-2)).toEqual(['user_stopped', 'stopped']);
    await worker.stop();
  });

  it('runs a task that it has reclaimed from itself only once at a time', async () => {
    const { script, waiting } = heldBack();
    const workers = new WorkersUnderTest(script);
    const worker = workers.makeWorker(3);
    await worker.start();
    const [id = ''] = await workers.create('a1', 1);
    await tick(workers);
    workers.clock.jump(3_600_000);
    await tick(workers, 1000);
    expect(waiting).toHaveLength(1);
    waiting[0]?.end();
    await tick(workers);
    expect(await workers.readStatus('a1', id)).toBe('stopped');
    await worker.stop();
    expect(workers.clock.timerCount).toBe(0);
  });

  it('yields to requests while many arrive, and still makes progress', async () => {
    const workers = new WorkersUnderTest(() => say('Done.'));
    const worker = workers.makeWorker(100);
    await worker.start();
    await tick(workers);
    for (let count = 0; count < 100; count += 1) workers.gauge.arrive({ headersSent: false });
    const ids = await workers.create('a1', 80);
    await tick(workers, 1000);
    for (const id of ids) expect(await workers.readStatus('a1', id)).toBe('stopped');
    await worker.stop();
  });

  it('can be started and stopped concurrently, and the last call wins', async () => {
    const workers = new WorkersUnderTest(() => say('Done.'));
    const worker = workers.makeWorker(5);
    for (let round = 0; round < 10; round += 1) {
      const changes = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? worker.start() : worker.stop()));
      const all = Promise.all(changes);
      await tick(workers);
      await all;
      expect(workers.clock.timerCount).toBe(0);
    }
    await Promise.all([worker.stop(), worker.start()]);
    const [id = ''] = await workers.create('a1', 1);
    await tick(workers);
    expect(await workers.readStatus('a1', id)).toBe('stopped');
    await worker.stop();
  });

  it('stops even if the store does not accept its leases back', async () => {
    const { script } = heldBack();
    const workers = new WorkersUnderTest(script);
    const worker = workers.makeWorker(2);
    await worker.start();
    await workers.create('a1', 2);
    await tick(workers);
    workers.database.interference.before = ({ operation }) => {
      if (operation === releaseLeases.name) throw new Error('no');
    };
    await cut(workers, worker);
    expect(workers.clock.timerCount).toBe(0);
  });
});
