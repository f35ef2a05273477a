import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { indexTasks } from '../support/search/index-tasks.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

type Snippet = { text: string; is_match: boolean }[];

/** Searches as the web application of an owner does. */
async function createSearch(store: OpenStore, api: ApiUnderTest, owner: Owner) {
  const session = await addSession(store.database, owner.accountId);
  return async (text: string, input: Record<string, string> = {}) => {
    const query = new URLSearchParams({ text, ...input }).toString();
    const response = await api.fetch(`/web/task.search?${query}`, {}, { key: null, headers: session.headers });
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: (Json & { id: string; match: Json & { snippet: Snippet } })[] };
    return data.map(({ id, match }) => ({
      id,
      ...match,
      marked: match.snippet.filter((part) => part.is_match).map((part) => part.text),
    }));
  };
}

/** Delivers a text file as an agent does; returns its artifact. */
async function deliver(api: ApiUnderTest, hand: WorkerHand, filename: string, text: string): Promise<string> {
  const { accountId } = api.owner;
  const { blobId, bytes } = await api.blobs.put(accountId, Readable.from([Buffer.from(text)]), { maxBytes: 1_000_000 });
  const artifactId = newId(Date.now());
  const attachment = { kind: 'file', blobId, filename, contentType: 'text/markdown', bytes } as const;
  await hand.log({ type: 'file_delivered', artifactId, path: filename, displayName: filename, attachment });
  return artifactId;
}

describeStores('a search among tasks', (store) => {
  it('finds messages, replies, file names, and what is in text files, and tells where', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const search = await createSearch(store, api, api.owner);
    const { task_id } = (await api.call('task.create', { message: { content: 'Compare <b>xylophones</b>' }, title: 'Music' }))
      .body;
    const id = String(task_id);
    const hand = await WorkerHand.take(store.database, id);
    const artifactId = await deliver(api, hand, 'Größe.md', 'The vibraphone\nis not a *glockenspiel*.');
    await hand.finish('All marimbas are listed.');
    await indexTasks(store.database, api.blobStore);
    const { messages } = (await api.call('task.listMessages', { task_id: id })).body;
    const eventOf = (type: string) => messages.find((event) => event['type'] === type)?.['id'];
    expect(await search('compare xylo')).toMatchObject([
      { id, found_in: 'message', event_id: eventOf('user_message'), marked: ['Compare', 'xylophones'] },
    ]);
    expect(await search('marimbas')).toMatchObject([{ id, found_in: 'reply', event_id: eventOf('assistant_message') }]);
    expect(await search('GROSSE')).toMatchObject([{ id, found_in: 'file', artifact_id: artifactId }]);
    expect(await search('GLOCKENSPIEL vibraphone')).toMatchObject([{ id, found_in: 'file', artifact_id: artifactId }]);
    expect(await search('music')).toMatchObject([{ id, found_in: 'title', marked: ['Music'] }]);
    expect(await search('music marimbas vibraphone')).toMatchObject([{ id }]);
    expect(await search(id)).toMatchObject([{ id, found_in: 'title' }]);
    expect(await search('marimbas tuba')).toEqual([]);
    expect(await search('marimbas', { status: 'waiting' })).toEqual([]);
  });

  it('knows the title and the names of files as they are now', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const search = await createSearch(store, api, api.owner);
    const id = await api.createTask();
    const hand = await WorkerHand.take(store.database, id);
    const artifactId = await deliver(api, hand, 'notes.md', 'about oboes');
    await hand.finish('Done.');
    await indexTasks(store.database, api.blobStore);
    await api.call('task.update', { task_id: id, title: 'Woodwinds' });
    await api.call('artifact.update', { artifact_id: artifactId, display_name: 'Reeds' });
    await indexTasks(store.database, api.blobStore);
    expect(await search('woodwinds')).toMatchObject([{ id, found_in: 'title' }]);
    expect(await search('reeds')).toMatchObject([{ id, found_in: 'file', marked: ['Reeds'] }]);
    expect(await search('oboes')).toMatchObject([{ id, found_in: 'file' }]);
  });

  it('finds nothing of other accounts, of hidden tasks, and of what was deleted', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const search = await createSearch(store, api, api.owner);
    const searchElsewhere = await createSearch(store, api, await addOwner(store.database));
    const create = async (more: Json = {}) =>
      String((await api.call('task.create', { message: { content: 'a bassoon' }, ...more })).body.task_id);
    const [kept, deleted] = [await create({ share_visibility: 'team' }), await create()];
    await create({ hide_in_task_list: true });
    await indexTasks(store.database, api.blobStore);
    expect((await search('bassoon')).map(({ id }) => id)).toEqual([deleted, kept]);
    await api.call('task.delete', { task_id: deleted });
    expect((await search('bassoon')).map(({ id }) => id)).toEqual([kept]);
    expect(await searchElsewhere('bassoon')).toEqual([]);
    for (const hostile of ['"', '*', 'a" OR "b', "bassoon' OR 1=1 --", 'NEAR(a b)', '(', '-bassoon:', '\\', '%', '_']) {
      const found = await search(hostile);
      expect(found.every(({ id }) => id === kept)).toBe(true);
    }
  });
});
