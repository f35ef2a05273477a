import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import { defaultAgentId } from '../../rules/agents/default-agent.ts';
import { readLog } from '../events/events.ts';
import { getAgent, updateAgent } from './agents.ts';

describeStores('an agent', (store) => {
  it('has a new identity in its row and in its conversation, and omitted fields stay unchanged', async () => {
    const accountId = await addAccount(store.database);
    const key = { accountId, agentId: defaultAgentId(accountId) };
    const before = await store.database.run(getAgent, key);
    await store.database.run(updateAgent, { ...key, now: nextMs(), nickname: null, about: 'Kind' });
    const after = await store.database.run(updateAgent, { ...key, now: nextMs(), nickname: 'Max', about: null });
    expect(after).toEqual({ ...before, nickname: 'Max', about: 'Kind' });
    expect(await store.database.run(getAgent, key)).toEqual(after);
    const log = await store.database.run(readLog, { accountId, taskId: before.taskId, afterSeq: 0, limit: 10 });
    expect(log.at(-1)?.event).toEqual({ type: 'equipped', persona: { nickname: 'Max', about: 'Kind' } });
  });

  it('is only found by its own account', async () => {
    const [accountId, other] = [await addAccount(store.database), await addAccount(store.database)];
    const foreign = { accountId: other, agentId: defaultAgentId(accountId) };
    await expect(store.database.run(getAgent, foreign)).rejects.toMatchObject({ code: 'not_found' });
  });
});
