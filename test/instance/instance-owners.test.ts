import { expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { addSession, makeInstanceOwner } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type CallOptions, type Json } from '../support/http/api-under-test.ts';

const instanceRows = operations.filter(({ access }) => access === 'instance');

describeStores('owners of the instance', (store) => {
  /** The API, with the sign-ins of an account that owns the instance and of one that does not. */
  async function start() {
    const api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    await makeInstanceOwner(store, api.owner.accountId);
    const signIn = async (accountId: string): Promise<CallOptions> => ({
      key: null,
      headers: (await addSession(store.database, accountId)).headers,
    });
    const own = await signIn(api.owner.accountId);
    const ask = (name: string, input: Json = {}) => api.call(name, input, own);
    return { api, stranger, own, ask, signIn, [Symbol.asyncDispose]: () => api.stop() };
  }

  it('who are signed in may call every operation on the instance; no key of their accounts and no other account may', async () => {
    await using world = await start();
    const { api, stranger, own, signIn } = world;
    const refused = [await signIn(stranger.accountId), { key: api.owner.key }, { key: stranger.key }];
    // The cookie alone is what a page of another site could make a browser send.
    const bare = { key: null, headers: { cookie: String(own.headers?.cookie) } };
    for (const { name } of instanceRows) {
      for (const credential of refused) expect([name, (await api.call(name, {}, credential)).status]).toEqual([name, 403]);
      expect([name, (await api.call(name, {}, bare)).status]).toEqual([name, 401]);
      expect([name, (await api.call(name, {}, own)).status]).not.toEqual([name, 403]);
    }
  });

  it('are made by other owners, at once and recorded, and are none of them any more when that is taken back', async () => {
    await using world = await start();
    const { api, stranger, ask, signIn } = world;
    const theirs = await signIn(stranger.accountId);
    const statusNow = async () => (await api.call('instance.health', {}, theirs)).status;
    expect(await statusNow()).toBe(403);
    const made = await ask('instance.updateAccount', { account_id: stranger.accountId, instance_owner: true });
    expect(made.body.account).toMatchObject({ instance_owner: true });
    expect(await statusNow()).toBe(200);
    const [event] = (await ask('instance.listEvents')).body.data;
    expect(event).toMatchObject({
      kind: 'account_changed',
      actor: expect.stringMatching(/^session:/) as string,
      detail: { account_id: stranger.accountId, instance_owner: 'true' },
    });
    await ask('instance.updateAccount', { account_id: stranger.accountId, instance_owner: false });
    expect(await statusNow()).toBe(403);
  });

  it('cannot lock themselves out: not disable, delete, or dismiss the account they are signed in with', async () => {
    await using world = await start();
    const { api, ask } = world;
    const account_id = api.owner.accountId;
    const attempts = [
      await ask('instance.updateAccount', { account_id, status: 'disabled' }),
      await ask('instance.updateAccount', { account_id, instance_owner: false }),
      await ask('instance.deleteAccount', { account_id }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([412, 412, 412]);
    expect((await ask('instance.updateAccount', { account_id, plan: 'team' })).status).toBe(200);
  });

  it('whose account is disabled by another one are refused like everybody', async () => {
    await using world = await start();
    const { api, stranger, ask, signIn } = world;
    await makeInstanceOwner(store, stranger.accountId);
    const theirs = await signIn(stranger.accountId);
    expect((await api.call('instance.health', {}, theirs)).status).toBe(200);
    await ask('instance.updateAccount', { account_id: stranger.accountId, status: 'disabled' });
    expect((await api.call('instance.health', {}, theirs)).status).toBe(403);
  });
});
