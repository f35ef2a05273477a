import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { append, createClaimed, modelFinished, modelStarted, newAccountId } from '../../../test/support/db/store-samples.ts';
import { readTaskTranscript } from './task-transcript.ts';

describeStores('the transcript of a task', (store) => {
  it('has the messages of both sides, the last ones if there are many, and nothing for another account', async () => {
    const task = await createClaimed(store.database);
    await append(task, [modelStarted, modelFinished(), { type: 'assistant_message', text: 'Done.' }], store.database);
    const messages = [
      { from: 'user', text: 'Do it.' },
      { from: 'agent', text: 'Done.' },
    ];
    const transcript = await store.database.run(readTaskTranscript, task);
    expect(transcript).toEqual({ title: 'A title', status: 'running', messages, omitted: 0 });
    const many = Array.from({ length: 205 }, (_, index) => ({ type: 'assistant_message' as const, text: `${index}` }));
    await append(task, many, store.database);
    const last = await store.database.run(readTaskTranscript, task);
    expect(last).toMatchObject({ omitted: 7 });
    expect(last?.messages).toHaveLength(200);
    expect(last?.messages.at(-1)).toEqual({ from: 'agent', text: '204' });
    expect(await store.database.run(readTaskTranscript, { ...task, accountId: newAccountId() })).toBeNull();
  });

  it('reads a bounded part of what was said, the newest, and counts the rest', async () => {
    const task = await createClaimed(store.database);
    const long = Array.from({ length: 9 }, (_, index) => ({
      type: 'assistant_message' as const,
      text: `${index} ${'w'.repeat(200_000)}`,
    }));
    for (const event of long) await append(task, [event], store.database);
    const transcript = await store.database.run(readTaskTranscript, task);
    expect(transcript?.messages.map(({ text }) => text[0])).toEqual(['3', '4', '5', '6', '7', '8']);
    expect(transcript?.omitted).toBe(4);
  });
});
