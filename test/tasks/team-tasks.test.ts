import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { removeMember } from '../../src/store/accounts/team-membership.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import { addOwner, type ApiOptions, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';

/** Reads until a text has come, or for null until the end. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, wanted: string | null): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    if (wanted !== null && text.includes(wanted)) return;
    const { done, value } = await reader.read();
    if (done && wanted === null) return;
    if (done) throw new Error(`the stream ended without ${wanted}`);
    text += decoder.decode(value, { stream: true });
  }
}

describeStores('a task that is shared with the team', (store) => {
  /** A team of its owner and the others, without invitations. */
  async function makeTeam(owner: Owner, others: readonly Owner[]): Promise<string> {
    const now = Date.now();
    const teamId = newId(now);
    await store.database.run(createTeam, { teamId, name: 'Research', ownerId: owner.accountId, now, actor: 'operator' });
    for (const { accountId } of others) {
      await store.query(
        "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', ?)",
        accountId,
        teamId,
        now,
      );
    }
    return teamId;
  }

  async function start(options: ApiOptions = {}): Promise<{ api: ApiUnderTest; mate: Owner; stranger: Owner; teamId: string }> {
    const api = await ApiUnderTest.start(store.database, options);
    const [mate, stranger, other] = [
      await addOwner(store.database),
      await addOwner(store.database),
      await addOwner(store.database),
    ];
    const teamId = await makeTeam(api.owner, [mate]);
    await makeTeam(stranger, [other]);
    return { api, mate, stranger, teamId };
  }

  const share = (api: ApiUnderTest, taskId: string, visibility: string) =>
    api.call('task.update', { task_id: taskId, share_visibility: visibility });

  it('can be read by its members and changed by its owner only; for others it does not exist', async () => {
    const { api, mate, stranger } = await start();
    await using _ = api;
    const taskId = await api.createTask('Our plan', { share_visibility: 'team' });
    const eventId = String((await api.call('task.listMessages', { task_id: taskId })).body.messages.at(-1)?.id);
    const reads: [string, Json][] = [
      ['task.detail', {}],
      ['task.listMessages', {}],
      ['task.listMessages', { order: 'asc', limit: 1 }],
      ['task.listMessages', { start_event_id: eventId, order: 'asc' }],
    ];
    const writes: [string, Json][] = [
      ['task.sendMessage', { message: { content: 'x' } }],
      ['task.update', { share_visibility: 'public' }],
      ['task.stop', {}],
      ['task.delete', {}],
    ];
    const ask = async (name: string, input: Json, { key }: Owner) => api.call(name, { ...input, task_id: taskId }, { key });
    for (const [name, input] of reads) {
      expect((await ask(name, input, mate)).status).toBe(200);
      expect((await ask(name, input, stranger)).status).toBe(404);
    }
    for (const [name, input] of writes) {
      expect((await ask(name, input, mate)).body.error).toMatchObject({ code: 'permission_denied' });
      expect((await ask(name, input, stranger)).body.error).toEqual({ code: 'not_found', message: 'task not found' });
    }
    const detail = (await ask('task.detail', {}, mate)).body.task;
    expect(detail).toMatchObject({ id: taskId, share_visibility: 'team', created_by_api_key: null });
    expect(JSON.stringify(detail)).not.toContain(api.owner.keyId);
    expect((await api.call('task.list', {}, { key: mate.key })).body.data).toEqual([]);
    const first = await ask('task.listMessages', { order: 'asc', limit: 1 }, mate);
    const next = await ask('task.listMessages', { order: 'asc', limit: 1, cursor: first.body.next_cursor }, mate);
    expect(next.body.messages).toHaveLength(1);
    for (const visibility of ['private', 'public']) {
      await share(api, taskId, visibility);
      for (const [name, input] of [...reads, ...writes]) expect((await ask(name, input, mate)).status).toBe(404);
    }
  });

  it.each<
    [string, (parts: { api: ApiUnderTest; taskId: string; teamId: string; mate: Owner; store: OpenStore }) => Promise<unknown>]
  >([
    ['it is shared no longer', ({ api, taskId }) => share(api, taskId, 'private')],
    [
      'its reader leaves the team',
      ({ api, teamId, mate }) =>
        api.database.run(removeMember, { teamId, actorId: null, actor: 'operator', now: Date.now(), accountId: mate.accountId }),
    ],
  ])('ends for readers of its stream, in every process, within a second after %s', async (_, end) => {
    // Time stands still: a reader for whom more than a second of it has to pass never ends.
    const clock = new TestClock(Date.now());
    const { api, mate, teamId } = await start({ clock });
    await using here = api;
    await using there = await ApiUnderTest.start(store.others[0] ?? store.database, { clock, owner: api.owner });
    const taskId = await here.createTask('Our plan', { share_visibility: 'team' });
    const streams = await Promise.all(
      [here, there].map((process) => process.fetch(`/v2/task.stream?task_id=${taskId}`, {}, { key: mate.key })),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const readers = streams.map((stream) => (stream.body as ReadableStream<Uint8Array>).getReader());
    await Promise.all(readers.map((reader) => readUntil(reader, 'Our plan')));
    await end({ api, taskId, teamId, mate, store });
    await clock.advance(999);
    await Promise.all(readers.map((reader) => readUntil(reader, null)));
  });
});
