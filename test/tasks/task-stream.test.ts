import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invalidArgument } from '../support/http/matchers.ts';
import { revokeApiKey } from '../../src/store/accounts/api-keys.ts';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { ApiUnderTest, addOwner, type Json } from '../support/http/api-under-test.ts';
import { EventReader } from '../support/http/sse-reader.ts';
import { RawSocket } from '../support/http/raw-socket.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

describeStores('task.stream', (store) => {
  async function listAll(api: ApiUnderTest, task_id: string, verbose = false): Promise<Json[]> {
    const messages: Json[] = [];
    for (let place: Json = {}; ; ) {
      const { body } = await api.call('task.listMessages', { task_id, verbose, order: 'asc', limit: 200, ...place });
      messages.push(...body.messages);
      if (!body.has_more) return messages;
      place = { cursor: body.next_cursor };
    }
  }

  it('sends the log and then new events, as the objects of task.listMessages', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const task_id = await api.createTask();
    const reader = await EventReader.open(api, { task_id });
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(reader.headers.get('x-request-id')).toMatch(/^req_/);
    const messages = await reader.take(2);
    const hand = await WorkerHand.take(store.database, task_id);
    await hand.step(1);
    messages.push(...(await reader.take(1)));
    await hand.finish('done');
    messages.push(...(await reader.take(2)));
    const listed = await listAll(api, task_id);
    expect(messages).toEqual(listed.map((event) => ({ kind: 'message', id: event.id, data: event })));
    reader.leave();
  });

  it('stays open after a stop, so that a follow-up is seen', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const task_id = await api.createTask();
    const reader = await EventReader.open(api, { task_id });
    await api.call('task.stop', { task_id });
    await reader.take(4);
    await api.call('task.sendMessage', { task_id, message: { content: 'more' } });
    expect((await reader.take(2)).map(({ data }) => data.type)).toEqual(['user_message', 'status_update']);
    reader.leave();
  });

  it('delivers every event once and in order, however often and wherever its readers reconnect', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await using other = await ApiUnderTest.start(store.others[0] ?? store.database, { owner: api.owner });
    const plan = fc.record({
      verbose: fc.boolean(),
      readers: fc.array(
        fc.array(fc.record({ count: fc.integer({ min: 1, max: 9 }), byHeader: fc.boolean(), elsewhere: fc.boolean() }), {
          maxLength: 6,
        }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      // More than one page of the log, sometimes.
      backlog: fc.constantFrom(0, 3, 30),
      steps: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ verbose, readers, backlog, steps }) => {
        const task_id = await api.createTask();
        const hand = await WorkerHand.take(store.database, task_id);
        for (let step = 1; step <= backlog; step++) await hand.step(step);
        const work = async () => {
          for (let step = backlog + 1; step <= backlog + steps; step++) await hand.step(step);
          await hand.finish('the end');
        };
        const read = async (legs: (typeof readers)[number]): Promise<Json[]> => {
          const seen: Json[] = [];
          let last: string | null = null;
          const isOver = () => seen.at(-1)?.type === 'status_update' && seen.length > 2;
          for (const { count, byHeader, elsewhere } of [...legs, { count: 1000, byHeader: true, elsewhere: false }]) {
            const query = { task_id, verbose, ...(last !== null && !byHeader && { last_event_id: last }) };
            const headers: Record<string, string> = last !== null && byHeader ? { 'last-event-id': last } : {};
            const reader = await EventReader.open(elsewhere ? other : api, query, { headers });
            for (let taken = 0; taken < count && !isOver(); taken++) {
              const [message] = await reader.take(1);
              if (!message) break;
              seen.push(message.data);
              last = message.id;
            }
            reader.leave();
          }
          return seen;
        };
        const [, ...seen] = await Promise.all([work(), ...readers.map(read)]);
        const listed = await listAll(api, task_id, verbose);
        for (const events of seen) expect(events).toEqual(listed);
      }),
      { numRuns: 12 },
    );
  });

  it('resumes after the event in the header when the URL names an older one', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const task_id = await api.createTask();
    await (await WorkerHand.take(store.database, task_id)).step(1);
    const ids = (await listAll(api, task_id, true)).map(({ id }) => String(id));
    const reader = await EventReader.open(
      api,
      { task_id, verbose: true, last_event_id: ids[0] },
      { headers: { 'last-event-id': ids[3] ?? '' } },
    );
    expect((await reader.take(2)).map(({ id }) => id)).toEqual(ids.slice(4));
    reader.leave();
  });

  it.each([
    [{ last_event_id: 'A'.repeat(22) }, 'last_event_id: is not an event of this task'],
    [{ last_event_id: 'nonsense' }, 'last_event_id: is not an event of this task'],
    [{ verbose: '1' }, 'verbose: must be true or false'],
    [{ deltas: 'yes' }, 'deltas: must be true or false'],
  ])('refuses %j in the envelope', async (input, message) => {
    await using api = await ApiUnderTest.start(store.database);
    const { status, body } = await api.call('task.stream', { task_id: await api.createTask(), ...input });
    expect([status, body.error]).toEqual([400, invalidArgument(message)]);
  });

  it("does not accept another task's event as a position in this one", async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [one, two] = [await api.createTask(), await api.createTask()];
    const [event] = await listAll(api, one);
    const { status } = await api.call('task.stream', { task_id: two }, { headers: { 'last-event-id': String(event?.id) } });
    expect(status).toBe(400);
  });

  describe('ends', () => {
    /** What readers in two processes still get once this is done. */
    async function readEnds(act: (api: ApiUnderTest, taskId: string) => Promise<unknown>) {
      // Time stands still: only a hint can bring the news.
      const clock = new TestClock(Date.now());
      await using api = await ApiUnderTest.start(store.database, { clock });
      await using other = await ApiUnderTest.start(store.others[0] ?? store.database, { clock, owner: api.owner });
      const task_id = await api.createTask();
      const readers = [await EventReader.open(api, { task_id }), await EventReader.open(other, { task_id })];
      for (const reader of readers) await reader.take(2);
      await act(api, task_id);
      return await Promise.all(readers.map((reader) => reader.rest()));
    }

    it('when the task is deleted, in every process', async () => {
      const ends = await readEnds((api, task_id) => api.call('task.delete', { task_id }));
      expect(ends).toEqual([[], []]);
    });

    it('when the key that opened it is revoked, in every process', async () => {
      const ends = await readEnds(({ owner: { accountId, keyId } }) =>
        store.database.run(revokeApiKey, { accountId, keyId, now: Date.now() }),
      );
      expect(ends).toEqual([[], []]);
    });

    it('when the service stops, at once and cleanly', async () => {
      const api = await ApiUnderTest.start(store.database);
      const task_id = await api.createTask();
      const readers = await Promise.all(Array.from({ length: 5 }, () => EventReader.open(api, { task_id })));
      for (const reader of readers) await reader.take(2);
      await api.stop();
      for (const reader of readers) expect(await reader.rest()).toEqual([]);
    });
  });

  it('works without hints: polling finds what another process adds', async () => {
    const clock = new TestClock(Date.now());
    await using api = await ApiUnderTest.start(hintless(store.database), { clock });
    const task_id = await api.createTask();
    const reader = await EventReader.open(api, { task_id });
    await reader.take(2);
    await api.call('task.stop', { task_id });
    const stoppedAtMs = clock.monotonic();
    const types: unknown[] = [];
    while (!types.includes('status_update')) {
      const read = reader.next();
      const reading = { isDone: false };
      void read.then(() => (reading.isDone = true));
      // A look may have begun before the stop, so that only the next one finds it. Each has a request's time to come to its end.
      while (!reading.isDone) {
        expect(clock.monotonic() - stoppedAtMs, 'how long nobody has looked').toBeLessThan(120_000);
        await clock.advance(10_000);
        await api.call('task.detail', { task_id });
      }
      const message = await read;
      if (message?.kind !== 'comment') types.push(message?.data.type);
    }
    expect(types).toEqual(['user_stop', 'status_update']);
    reader.leave();
  });

  describe('with deltas', () => {
    it('sends parts of a reply while it is generated, without ids, and only on request', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const task_id = await api.createTask();
      const [with_, without] = [await EventReader.open(api, { task_id, deltas: true }), await EventReader.open(api, { task_id })];
      await Promise.all([with_.take(2), without.take(2)]);
      api.database.deltas.publish(task_id, { step: 1, attempt: 1, text: 'Hel' });
      expect(await with_.take(1)).toEqual([{ kind: 'delta', id: null, data: { step: 1, attempt: 1, text: 'Hel' } }]);
      api.database.deltas.publish(task_id, { step: 1, attempt: 1, text: 'lo' });
      expect((await with_.take(1)).map(({ data }) => data.text)).toEqual(['lo']);
      api.database.deltas.publish(task_id, { callId: 'c1', tool: 'run_shell', at: 3, text: '12' });
      const output = { action_id: 'c1', tool: 'run_shell', at: 3, text: '12' };
      expect(await with_.take(1)).toEqual([{ kind: 'output', id: null, data: output }]);
      // The file that a call writes is no part of its output.
      const file = { tool: 'write_file', at: 0, text: '# A', path: 'a.md' };
      api.database.deltas.publish(task_id, { callId: 'c2', ...file });
      expect(await with_.take(1)).toEqual([{ kind: 'output', id: null, data: { action_id: 'c2', ...file } }]);
      await api.call('task.stop', { task_id });
      expect((await without.take(2)).map(({ kind, data }) => [kind, data.type])).toEqual([
        ['message', 'user_stop'],
        ['message', 'status_update'],
      ]);
      for (const reader of [with_, without]) reader.leave();
    });
  });

  it('sends a sign of life after 25 seconds without events', async () => {
    const clock = new TestClock(Date.now());
    await using api = await ApiUnderTest.start(store.database, { clock });
    const task_id = await api.createTask();
    const reader = await EventReader.open(api, { task_id });
    await reader.take(2);
    const arrival = reader.take(1);
    while (clock.timerCount < 5) await new Promise(setImmediate);
    await clock.advance(26_000);
    expect(await arrival).toEqual([{ kind: 'comment', id: null, data: {} }]);
    reader.leave();
  });

  it('disconnects a reader that reads nothing for 30 seconds, and it can resume at its position', async () => {
    const clock = new TestClock(Date.now());
    await using api = await ApiUnderTest.start(store.database, { clock });
    const task_id = await api.createTask();
    // More than all the buffers between the two can hold.
    for (let count = 0; count < 60; count++) {
      await api.call('task.sendMessage', { task_id, message: { content: 'x'.repeat(200_000) } });
    }
    const raw = await RawSocket.open(api.port);
    raw.socket.pause();
    raw.write(`GET /v2/task.stream?task_id=${task_id} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${api.owner.key}\r\n\r\n`);
    // Timers for key usage, the record of requests, stalled responses, all streams, the heartbeat and, once the socket is full, its timeout.
    while (clock.timerCount < 6) await new Promise(setImmediate);
    await clock.advance(33_000);
    raw.socket.resume();
    const blocks = (await raw.readAll()).split('\n\n').slice(0, -1);
    const ids = blocks.flatMap((block) => /^id: (\w+)$/m.exec(block)?.[1] ?? []);
    const whole = await listAll(api, task_id);
    expect(ids).toEqual(whole.slice(0, ids.length).map(({ id }) => id));
    expect(ids.length).toBeLessThan(whole.length);
    const reader = await EventReader.open(api, { task_id }, { headers: { 'last-event-id': ids.at(-1) ?? '' } });
    const more = await reader.take(whole.length - ids.length);
    expect(more.map(({ id }) => id)).toEqual(whole.slice(ids.length).map(({ id }) => id));
    reader.leave();
  });

  it('shows a task to its own account only', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const task_id = await api.createTask();
    await expect(EventReader.open(api, { task_id }, { key: stranger.key })).rejects.toThrow(/404.*task not found/);
  });
});

/** A store whose hints never arrive. */
function hintless(database: ApiUnderTest['database']): ApiUnderTest['database'] {
  return {
    run: (operation, args) => database.run(operation, args),
    runOnce: (operation, args, key) => database.runOnce(operation, args, key),
    close: () => database.close(),
    deltas: database.deltas,
    hints: { publish: () => undefined, subscribe: () => () => undefined },
  };
}
