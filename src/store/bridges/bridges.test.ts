import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { addAccount, farAhead } from '../../../test/support/oauth/oauth-samples.ts';
import {
  createLinkCode,
  findBridgeChat,
  getBridgeChat,
  linkChat,
  listBridgeChats,
  listServedChats,
  noteReceived,
  noteProgress,
  unlinkChat,
} from './bridge-chats.ts';
import { claimBridge, listBots, noteBot, notePosition, releaseBridge, renewBridge } from './bridges.ts';

const platform = 'telegram';
const ttlMs = 60_000;

describeStores('a chat platform', (store) => {
  const take = (owner: string, isAlone = false) => store.database.run(claimBridge, { platform, owner, ttlMs, isAlone });
  const hold = async () => (await take('p1')) ?? { platform, fence: -1 };

  it('is served by one process at a time, until that releases it', async () => {
    const attempts = [store.database, ...store.others].map((database, index) =>
      database.run(claimBridge, { platform, owner: `p${index}`, ttlMs, isAlone: false }),
    );
    const [first, ...more] = (await Promise.all(attempts)).flatMap((each) => each ?? []);
    if (!first) throw new Error('nobody has it');
    expect(more).toEqual([]);
    expect(await store.database.run(renewBridge, { ...first, ttlMs })).toBe(true);
    await store.database.run(releaseBridge, first);
    expect((await take('p9'))?.fence).toBeGreaterThan(first.fence);
    expect(await store.database.run(renewBridge, { ...first, ttlMs })).toBe(false);
    expect(await take('p10')).toBeNull();
    expect(await take('p10', true)).not.toBeNull();
  });

  it('resumes where the same bot stopped, and starts over for another one', async () => {
    const held = await hold();
    const { database } = store;
    expect(await database.run(noteBot, { ...held, bot: '1', name: 'Ann' })).toBeNull();
    await database.run(notePosition, { ...held, position: 7, now: 5 });
    await database.run(notePosition, { ...held, fence: held.fence - 1, position: 9, now: 6 });
    expect(await database.run(noteBot, { ...held, bot: '1', name: 'Bea' })).toEqual({ value: 7, atMs: 5 });
    expect(await database.run(listBots, null)).toEqual([{ platform, name: 'Bea' }]);
    expect(await database.run(noteBot, { ...held, bot: '2', name: 'Cleo' })).toBeNull();
    expect(await database.run(noteBot, { ...held, bot: '2', name: 'Cleo' })).toBeNull();
  });
});

describeStores('a linked chat', (store) => {
  const place = { platform, bot: 'b1', chat: 'c1' } as const;

  async function link(accountId: string, digest = accountId) {
    const now = nextMs();
    await store.database.run(createLinkCode, { accountId, digest, now, expiresAtMs: farAhead });
    const chat = { chatId: newId(now), person: 'u1', title: 'Ann', lastReceived: null, now };
    return store.database.run(linkChat, { ...place, digest, ...chat });
  }

  it('is linked to the account whose code was sent from it, and each code counts once', async () => {
    const [accountId, other] = [await addAccount(store.database), await addAccount(store.database)];
    const chat = await link(accountId);
    expect(chat).toMatchObject({ ...place, accountId, person: 'u1', deliveredPart: 0, promptSeq: null });
    const again = {
      ...place,
      digest: accountId,
      chatId: newId(nextMs()),
      person: 'u1',
      title: 'Ann',
      lastReceived: null,
      now: nextMs(),
    };
    expect(await store.database.run(linkChat, again)).toBeNull();
    expect(await store.database.run(findBridgeChat, place)).toEqual(chat);
    const chatId = chat?.chatId ?? '';
    expect(await store.database.run(getBridgeChat, { accountId, chatId })).toEqual(chat);
    expect(await store.database.run(getBridgeChat, { accountId: other, chatId })).toBeNull();
    await link(other);
    expect(await store.database.run(listBridgeChats, accountId)).toEqual([]);
    const served = { platform, bot: 'b1', limit: 5 } as const;
    expect(await store.database.run(listServedChats, { ...served, afterChat: '' })).toMatchObject([{ accountId: other }]);
    expect(await store.database.run(listServedChats, { ...served, afterChat: 'c1' })).toEqual([]);
  });

  it('remembers its progress, as reported by the process that serves it', async () => {
    const accountId = await addAccount(store.database);
    const chatId = (await link(accountId))?.chatId ?? '';
    const hold = await store.database.run(claimBridge, { platform, owner: 'p1', ttlMs, isAlone: false });
    if (!hold) throw new Error('the platform is taken');
    const progress = { deliveredSeq: 9, deliveredPart: 1, lastRef: 'r', promptSeq: 8, problem: 'blocked' };
    const note = { accountId, chatId, ...progress };
    expect(await store.database.run(noteProgress, { ...note, hold: { ...hold, fence: 0 } })).toBe(false);
    expect(await store.database.run(noteProgress, { ...note, hold })).toBe(true);
    for (const lastReceived of ['5', '3']) await store.database.run(noteReceived, { accountId, chatId, lastReceived });
    expect(await store.database.run(findBridgeChat, place)).toMatchObject({ ...progress, lastReceived: '5' });
  });

  it('is linked to no account once it is unlinked', async () => {
    const accountId = await addAccount(store.database);
    const chatId = (await link(accountId))?.chatId ?? '';
    const unlink = { accountId, chatId, now: nextMs(), actor: 'test' };
    await store.database.run(unlinkChat, unlink);
    expect(await store.database.run(findBridgeChat, place)).toBeNull();
    await expect(store.database.run(unlinkChat, unlink)).rejects.toMatchObject({ code: 'not_found' });
  });
});
