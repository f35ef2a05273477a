import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  append,
  createClaimed,
  modelFinished,
  modelStarted,
  newAccountId,
  stopped,
} from '../../../test/support/db/store-samples.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { findCallPlace, findModelCall } from './model-calls.ts';

const words: TaskEvent = { type: 'assistant_message', text: 'Words.' };

describeStores('the model call before an event', (store) => {
  it('is the newest that ended by then, with its start, and none of another account', async () => {
    const task = await createClaimed(store.database);
    await append(task, [modelStarted, modelFinished(), words, modelStarted, modelFinished(), words], store.database);
    const find = async (seq: number, accountId = task.accountId) => {
      const found = await store.database.run(findModelCall, { accountId, taskId: task.taskId, seq });
      return found.map(({ seq: at, event }) => [at, event.type]);
    };
    const first = [
      [3, 'model_started'],
      [4, 'model_finished'],
    ];
    expect(await find(2)).toEqual([]);
    expect(await find(3)).toEqual([]);
    expect(await find(5)).toEqual(first);
    // One that has not ended is none yet.
    expect(await find(6)).toEqual(first);
    expect(await find(8)).toEqual([
      [6, 'model_started'],
      [7, 'model_finished'],
    ]);
    expect(await find(8, newAccountId())).toEqual([]);
  });
});

describeStores('the place in a log that tells which call runs', (store) => {
  it('is the newest event about calls up to an event, of its own account alone', async () => {
    const task = await createClaimed(store.database);
    const began: TaskEvent = { type: 'tool_started', callId: 'one', tool: 'run_shell', attempt: 1 };
    await append(task, [modelStarted, modelFinished(), began, { type: 'explained', text: 'Words.' }, stopped], store.database);
    const find = async (seq: number, accountId = task.accountId) => {
      const place = await store.database.run(findCallPlace, { accountId, taskId: task.taskId, seq });
      return place?.event.type;
    };
    expect(await find(2)).toBeUndefined();
    expect(await find(4)).toBe('model_finished');
    expect(await find(6)).toBe('tool_started');
    expect(await find(7)).toBe('stopped');
    expect(await find(7, newAccountId())).toBeUndefined();
  });
});
