import { describe, expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { inboxItemId } from '../../rules/inbox/inbox-item.ts';
import { holdBody, readKept } from './kept-part.ts';

const request = {
  ...{ accountId: 'a', id: 'r', atMs: 0, path: '/v2/task.create', query: '', durationMs: 1, credential: 'api_key k' },
  ...{ errorCode: null, errorParam: null, taskId: null, isRepeatable: true, isForOneUser: false },
};
const keep = (method: string, status: number, body: unknown) =>
  readKept({ ...request, method, status, body: holdBody(body, status) }).replay;

describe('whether a request can be sent again', () => {
  it.each([
    ['POST', 200, '{"a":1}', 'possible'],
    ['POST', 413, '{"a":1}', 'possible'],
    ['POST', 200, `{"a":"${'é '.repeat(4096)}"}`, 'too_large'],
    ['POST', 413, undefined, 'too_large'],
    ['POST', 429, undefined, 'no_body'],
    ['POST', 200, undefined, 'no_body'],
    ['POST', 400, '', 'no_body'],
    ['POST', 400, '{"a":', 'unsupported'],
    ['GET', 200, undefined, 'possible'],
    ['HEAD', 200, undefined, 'possible'],
  ])('is known by what was read of it: %s, %d, %j is %s', (method, status, body, replay) => {
    expect(keep(method, status, body === undefined ? undefined : Buffer.from(body))).toBe(replay);
  });

  it('is not if its query is cut', () => {
    const query = `query=${'x '.repeat(500)}`;
    expect(readKept({ ...request, method: 'GET', status: 200, body: 'no_body', query }).replay).toBe('too_large');
  });
});

describe('the task that a request is about', () => {
  const taskOf = (body: object) =>
    readKept({ ...request, method: 'POST', status: 200, body: Buffer.from(JSON.stringify(body)) }).taskId;

  it('is named by its id or by an item of the inbox, so that a decision goes with its task', () => {
    const taskId = newId(0);
    expect([taskOf({ task_id: taskId }), taskOf({ id: inboxItemId(taskId, 7), answer: 'yes' })]).toEqual([taskId, taskId]);
    expect([taskOf({ id: 'other' }), taskOf({ id: 7 }), taskOf([])]).toEqual([null, null, null]);
  });
});
