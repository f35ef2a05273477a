import { expect, it } from 'vitest';
import { newRequestId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, sampleTask } from '../../../test/support/db/store-samples.ts';
import { addOwner } from '../../../test/support/http/api-under-test.ts';
import { mostRequests, requestTtlMs } from '../../rules/requests/kept-request.ts';
import { beginAccountDeletion, deleteAccountRows, endAccountDeletion } from '../accounts/account-deletion.ts';
import { clearTask } from '../tasks/clear-task.ts';
import { createTask } from '../tasks/tasks.ts';
import type { Statement } from '../db/store-operation.ts';
import { deleteExpiredRequests, getRequest, listRequests, recordRequests, type RecordedRequest } from './kept-requests.ts';

const start = Date.UTC(2030, 0, 1);
let clock = start;

function request(accountId: string, change: Partial<RecordedRequest> = {}): RecordedRequest {
  clock += 1;
  return {
    accountId,
    id: newRequestId(clock),
    atMs: clock,
    method: 'GET',
    path: '/v2/task.list',
    query: 'limit=3',
    status: 200,
    durationMs: 12,
    credential: 'api_key k1',
    errorCode: null,
    errorParam: null,
    taskId: null,
    body: null,
    replay: 'possible',
    ...change,
  };
}

/** The statements of a record of this many requests, none of whose accounts is being deleted. */
function listInserts(count: number): readonly Statement[] {
  const script = recordRequests.run({ requests: Array.from({ length: count }, () => request('a')), full: [] });
  script.next([]);
  const inserted = script.next([[]]);
  return inserted.done ? [] : inserted.value;
}

it('prepares few statements, whatever the number of requests, and needs few', () => {
  const lists = Array.from({ length: 300 }, (_, count) => listInserts(count));
  expect(new Set(lists.flatMap((list) => list.map(({ sql }) => sql))).size).toBe(7);
  expect(Math.max(...lists.map(({ length }) => length))).toBe(9);
});

describeStores('the record of requests', (store) => {
  const record = (requests: readonly RecordedRequest[], full: string[] = []) =>
    store.database.run(recordRequests, { requests, full });
  const all = { status: null, path: null, beforeId: null, limit: 20 };

  it('has the requests of one account, newest first, and never those of another', async () => {
    const [mine, other] = [newAccountId(), newAccountId()];
    const [first, second, foreign] = [request(mine), request(mine), request(other)];
    await record([second, first, foreign]);
    const { accountId: _, body: _body, ...shown } = second;
    const listed = await store.database.run(listRequests, { ...all, accountId: mine });
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(listed[0]).toEqual(shown);
    await expect(store.database.run(getRequest, { accountId: mine, requestId: foreign.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(store.database.run(getRequest, { accountId: other, requestId: foreign.id })).resolves.toMatchObject({
      id: foreign.id,
      body: null,
    });
  });

  it('is filtered by status and by part of the path, whose characters are no wildcards', async () => {
    const accountId = newAccountId();
    const failed = request(accountId, { status: 404, errorCode: 'not_found', path: '/v2/task_detail' });
    await record([request(accountId), failed]);
    const list = (filter: object) => store.database.run(listRequests, { ...all, accountId, ...filter });
    expect((await list({ status: [400, 499] })).map(({ id }) => id)).toEqual([failed.id]);
    expect((await list({ path: 'k_d' })).map(({ id }) => id)).toEqual([failed.id]);
    expect(await list({ path: '%' })).toEqual([]);
  });

  it('keeps no body of a task that is gone when it is written', async () => {
    const accountId = newAccountId();
    const sent = request(accountId, { method: 'POST', taskId: 'gone', body: '{"a":1}' });
    await record([sent]);
    const found = await store.database.run(getRequest, { accountId, requestId: sent.id });
    expect(found).toMatchObject({ body: null, replay: 'deleted' });
  });

  it('keeps no body that was sent to a task before it was emptied, and those since', async () => {
    const sample = sampleTask(newAccountId(), { taskType: 'agent_main' });
    const { accountId, taskId } = sample;
    await store.database.run(createTask, sample);
    const bodyAt = async (atMs: number) => {
      const sent = request(accountId, { method: 'POST', taskId, body: '{"a":1}', atMs });
      await record([sent]);
      return (await store.database.run(getRequest, { accountId, requestId: sent.id })).body;
    };
    const [{ at } = {}] = await store.query(`SELECT MIN(at) AS at FROM events WHERE task_id = ?`, taskId);
    expect(await bodyAt(Number(at) - 5)).toBe('{"a":1}');
    await store.query("UPDATE tasks SET status = 'stopped' WHERE id = ?", taskId);
    const now = Number(at) + 1000;
    await store.database.run(clearTask, { accountId, taskId, now });
    expect([await bodyAt(now - 1), await bodyAt(now)]).toEqual([null, '{"a":1}']);
  });

  it('keeps nothing of an account that is being deleted or was, and of an account that was imported since', async () => {
    const { accountId } = await addOwner(store.database);
    const list = () => store.database.run(listRequests, { ...all, accountId });
    await store.database.run(beginAccountDeletion, { accountId, actor: 'operator', now: start });
    await record([request(accountId)]);
    expect(await list()).toEqual([]);
    while ((await store.database.run(deleteAccountRows, { accountId, limit: 100 })) === 'more');
    expect(await store.database.run(endAccountDeletion, { accountId })).toBe(true);
    await record([request(accountId)]);
    expect(await list()).toEqual([]);
    await store.query(
      `INSERT INTO accounts (account_id, email, plan, locale, created_at, status) VALUES (?, 'ann@example.com', 'pro', 'en', 1, 'active')`,
      accountId,
    );
    await record([request(accountId)]);
    expect(await list()).toHaveLength(1);
  });

  it('is bounded by number for each account, and by age', async () => {
    const [accountId, other] = [newAccountId(), newAccountId()];
    const many = Array.from({ length: mostRequests + 7 }, () => request(accountId));
    await record([...many, request(other)], [accountId]);
    const [{ kept } = {}] = await store.query(`SELECT COUNT(*) AS kept FROM api_requests WHERE account_id = '${accountId}'`);
    expect(Number(kept)).toBe(mostRequests);
    const now = clock + requestTtlMs;
    while ((await store.database.run(deleteExpiredRequests, { now, limit: 300 })) > 0);
    for (const one of [accountId, other]) expect(await store.database.run(listRequests, { ...all, accountId: one })).toEqual([]);
  });
});
