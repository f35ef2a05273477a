import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { TokenOwner } from '../../src/http/service/http-service.ts';
import type { Scope } from '../../src/rules/accounts/access.ts';
import type { Attachment, DeliveredFile, StoredFile } from '../../src/rules/events/task-event.ts';
import { LibraryWorker } from '../../src/work/artifacts/library-worker.ts';
import { insertArtifact } from '../support/artifacts/artifact-samples.ts';
import { describeStores } from '../support/db/databases.ts';
import { addApp } from '../support/oauth/oauth-samples.ts';
import { eventually } from '../support/service/service-client.ts';
import { inPieces } from '../support/files/blob-store-contract.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someId, someText } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

/** A file of an account, kept as a worker keeps it. */
async function storeFile(api: ApiUnderTest, filename: string, text: string, contentType = 'text/plain'): Promise<StoredFile> {
  const { blobId, bytes } = await api.blobs.put(api.owner.accountId, inPieces(Buffer.from(text)), { maxBytes: 1000 });
  return { blobId, bytes, filename, contentType };
}

async function delivery(
  api: ApiUnderTest,
  path: string,
  changes: Partial<Attachment & DeliveredFile> = {},
): Promise<DeliveredFile> {
  const filename = path.split('/').at(-1) ?? path;
  const { artifactId = newId(Date.now()), displayName = filename, ...attachment } = changes;
  const file = await storeFile(api, filename, `text of ${path}`);
  return { artifactId, path, displayName, attachment: { kind: 'file', ...file, ...attachment } };
}

/** A task that delivered these files and is done. */
async function finishTask(api: ApiUnderTest, taskId: string, files: readonly DeliveredFile[], text = 'Done.'): Promise<void> {
  const hand = await WorkerHand.take(api.database, taskId);
  await hand.log(
    ...files.map((file) => ({ type: 'file_delivered', ...file }) as const),
    { type: 'assistant_message', text, attachments: files.map(({ attachment }) => attachment) },
    { type: 'stopped', by: 'agent' },
  );
}

async function listNames(api: ApiUnderTest, input: Json = {}, options = {}): Promise<unknown[]> {
  const { status, body } = await api.call('artifact.list', input, options);
  if (status !== 200) return [status, body.error.code];
  return body.data.map(({ filename }) => filename);
}

describeStores('the library', (store) => {
  it('contains what a task delivered, with a working URL, like the message that delivered it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    await finishTask(api, taskId, [await delivery(api, 'out/Notes.MD', { displayName: 'My notes' })]);
    const { body } = await api.call('artifact.list');
    expect(body).toMatchObject({ ok: true, has_more: false });
    expect(body).not.toHaveProperty('next_cursor');
    expect(body.data).toEqual([
      {
        id: someId,
        task_id: taskId,
        filename: 'Notes.MD',
        display_name: 'My notes',
        type: 'documents',
        file_type: 'file',
        favorite: false,
        url: someText(/^http/),
        source: { type: 'api_key', id: api.owner.keyId, name: 'test key' },
      },
    ]);
    const file = await fetch(String(body.data[0]?.url));
    expect([file.status, await file.text()]).toEqual([200, 'text of out/Notes.MD']);
    const messages = (await api.call('task.listMessages', { task_id: taskId })).body.messages;
    const message = messages.find(({ type }) => type === 'assistant_message')?.assistant_message;
    const { attachments } = message as { attachments: Json[] };
    expect(attachments).toEqual([{ type: 'file', filename: 'Notes.MD', url: someText(/^http/), content_type: 'text/plain' }]);
    expect(await (await fetch(String(attachments[0]?.url))).text()).toBe('text of out/Notes.MD');
  });

  it('returns slides in the requested format', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const html = await storeFile(api, 'deck.html', 'the html', 'text/html');
    const pptx = await storeFile(api, 'deck.pptx', 'the pptx', 'application/x-pptx');
    const attachment: Attachment = { kind: 'slides', ...html, forms: { html, pptx } };
    await finishTask(api, taskId, [{ artifactId: newId(1), path: 'deck.html', displayName: 'Deck', attachment }]);
    for (const [slides_format, text] of [
      [undefined, 'the html'],
      ['html', 'the html'],
      ['pptx', 'the pptx'],
    ]) {
      const { body } = await api.call('task.listMessages', { task_id: taskId, ...(slides_format && { slides_format }) });
      const message = body.messages.find(({ type }) => type === 'assistant_message')?.assistant_message;
      const [deck] = (message as { attachments: Json[] }).attachments;
      expect(deck).toMatchObject({ type: 'slides', filename: `deck.${slides_format ?? 'html'}` });
      expect(await (await fetch(String(deck?.url))).text()).toBe(text);
    }
    expect((await api.call('artifact.list', { type: 'slides' })).body.data).toMatchObject([
      { file_type: 'slides', type: 'slides' },
    ]);
    expect((await api.call('task.listMessages', { task_id: taskId, slides_format: 'pdf' })).status).toBe(400);
  });

  it('lists favorites, and returns one artifact again', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    // One after another, whatever the clock says.
    const names = ['a.md', 'b.md', 'c.csv'];
    const files = names.map((name, index) => delivery(api, name, { artifactId: newId(index + 1) }));
    await finishTask(api, taskId, await Promise.all(files));
    const { data } = (await api.call('artifact.list')).body;
    for (const { id } of data.slice(0, 2)) await api.call('artifact.update', { artifact_id: id, favorite: true });
    expect(await listNames(api, { favorite: 'true' })).toEqual(['c.csv', 'b.md']);
    expect(await listNames(api, { favorite: 'true', type: 'documents' })).toEqual(['b.md']);
    expect(await listNames(api, { favorite: 'false' })).toEqual(['c.csv', 'b.md', 'a.md']);
    const reported = await api.call('artifact.detail', { artifact_id: data[0]?.id });
    expect(reported.body.artifact).toMatchObject({ id: data[0]?.id, filename: 'c.csv', favorite: true, url: someText(/^http/) });
    const { key } = await addOwner(store.database);
    expect((await api.call('artifact.detail', { artifact_id: data[0]?.id }, { key })).status).toBe(404);
  });

  it('returns all files of a task, or selected ones, as one zip file', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const html = await storeFile(api, 'deck.html', 'the html', 'text/html');
    const pptx = await storeFile(api, 'deck.pptx', 'the pptx', 'application/x-pptx');
    const deck: Attachment = { kind: 'slides', ...html, forms: { html, pptx } };
    const files = [
      // One after another, whatever the clock says.
      await delivery(api, 'one/Notes.md', { artifactId: newId(1) }),
      { artifactId: newId(2), path: 'deck.html', displayName: 'Deck', attachment: deck },
      await delivery(api, 'two/notes.md', { artifactId: newId(3) }),
    ];
    await finishTask(api, taskId, files);
    const fetchZip = async (input: Json) => {
      const { status, body } = await api.call('artifact.archive', input);
      expect(status).toBe(200);
      const [head, full] = await Promise.all([fetch(String(body.url), { method: 'HEAD' }), fetch(String(body.url))]);
      const bytes = new Uint8Array(await full.arrayBuffer());
      expect([full.status, head.headers.get('content-length'), bytes.length]).toEqual([200, String(body.bytes), body.bytes]);
      expect(full.headers.get('content-disposition')).toContain(`attachment; filename="${String(body.filename)}"`);
      const entries = Object.entries(unzipSync(bytes)).map(([name, content]) => [name, Buffer.from(content).toString()]);
      return Object.fromEntries(entries) as Record<string, string>;
    };
    expect(await fetchZip({ task_id: taskId })).toEqual({
      'Notes.md': 'text of one/Notes.md',
      'deck.html': 'the html',
      'deck.pptx': 'the pptx',
      'notes (2).md': 'text of two/notes.md',
    });
    const artifactIds = `${files[2]?.artifactId},${files[2]?.artifactId}`;
    expect(await fetchZip({ artifact_ids: artifactIds })).toEqual({ 'notes.md': 'text of two/notes.md' });
    const stranger = await addOwner(store.database);
    for (const [input, key, status] of [
      [{ artifact_ids: `${artifactIds},${newId(1)}` }, api.owner.key, 404],
      [{ artifact_ids: Array.from({ length: 101 }, () => newId(1)).join(',') }, api.owner.key, 400],
      [{ artifact_ids: '../x' }, api.owner.key, 404],
      [{ artifact_ids: artifactIds }, stranger.key, 404],
      [{ artifact_ids: artifactIds, task_id: taskId }, api.owner.key, 400],
      [{}, api.owner.key, 400],
    ] as const) {
      expect([input, (await api.call('artifact.archive', input, { key })).status]).toEqual([input, status]);
    }
    const { body } = await api.call('artifact.archive', { task_id: taskId });
    const changed = await fetch(String(body.url).replace(/.(?=$)/, (last) => (last === 'A' ? 'B' : 'A')));
    expect(changed.status).toBe(403);
    await api.call('task.delete', { task_id: taskId });
    expect((await fetch(String(body.url))).status).toBe(404);
  });

  it('returns the files of a shared task as one zip file to its readers, while it is shared', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask('x', { title: 'Märkte', share_visibility: 'public' });
    await finishTask(api, taskId, [await delivery(api, 'report.md')]);
    const { share_url: url } = (await api.call('task.detail', { task_id: taskId })).body.task;
    const shareId = String(url).split('/').at(-1) ?? '';
    const ask = () => api.fetch(`/web/share.archive?share_id=${shareId}`, {}, { key: null });
    const offer = (await (await ask()).json()) as Json;
    expect(offer).toMatchObject({ filename: 'Märkte.zip', file_count: 1 });
    const claims = Buffer.from(new URL(String(offer.url)).searchParams.get('token')?.split('.')[0] ?? '', 'base64url').toString();
    for (const hidden of [taskId, api.owner.accountId]) expect(claims).not.toContain(hidden);
    const zip = await fetch(String(offer.url));
    expect([zip.status, zip.headers.get('content-length')]).toEqual([200, String(offer.bytes)]);
    expect(Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer())))).toEqual(['report.md']);
    await api.call('task.update', { task_id: taskId, share_visibility: 'private' });
    expect([(await fetch(String(offer.url))).status, (await ask()).status]).toEqual([404, 404]);
    // Shared anew, it has another address.
    await api.call('task.update', { task_id: taskId, share_visibility: 'team' });
    expect((await fetch(String(offer.url))).status).toBe(404);
  });

  it('shows a cover of a picture once a worker has created one', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const picture = await delivery(api, 'a.png', { kind: 'image', contentType: 'image/png' });
    await finishTask(api, taskId, [picture, await delivery(api, 'a.zip', { contentType: 'application/zip' })]);
    const { database, blobs } = api;
    const covers = {
      means: { hasBrowser: false, hasOffice: false, hasFfmpeg: false },
      make: () => Promise.resolve(Buffer.from('small')),
    };
    const worker = new LibraryWorker({ database, blobs, covers, clock: systemClock, log: silentLog });
    await worker.start();
    const cover = await eventually('a cover', async () => {
      const { data } = (await api.call('artifact.list', { type: 'images' })).body;
      return (data[0]?.cover_image as string | undefined) ?? null;
    });
    await worker.stop();
    const response = await fetch(cover);
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['image/png', 'small']);
    expect((await api.call('artifact.list', { type: 'others' })).body.data[0]).not.toHaveProperty('cover_image');
  });

  it("keeps the identity of a file that is delivered again, and the user's name and favorite mark", async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const first = await delivery(api, 'a.txt');
    await finishTask(api, taskId, [first]);
    const rename = { artifact_id: first.artifactId, display_name: ' Plan\n A ', favorite: true };
    const updated = await api.call('artifact.update', rename);
    expect(updated.body.artifact).toMatchObject({
      id: first.artifactId,
      display_name: 'Plan A',
      favorite: true,
      type: 'documents',
    });
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'again' } });
    await finishTask(api, taskId, [{ ...(await delivery(api, 'a.txt')), artifactId: first.artifactId }]);
    const { data } = (await api.call('artifact.list')).body;
    expect(data).toMatchObject([{ id: first.artifactId, display_name: 'Plan A', favorite: true, task_id: taskId }]);
    expect((await fetch(String(data[0]?.url))).status).toBe(200);
    expect(await listNames(api, { query: 'pLAN' })).toEqual(['a.txt']);
    for (const [input, code] of [
      [{ artifact_id: first.artifactId }, 'invalid_argument'],
      [{ artifact_id: first.artifactId, display_name: ' \n ' }, 'invalid_argument'],
      [{ artifact_id: newId(5), favorite: true }, 'not_found'],
      [{ artifact_id: 'x', favorite: true }, 'not_found'],
    ] as const) {
      expect((await api.call('artifact.update', input)).body.error.code).toBe(code);
    }
    const stranger = await addOwner(store.database);
    const foreign = await api.call('artifact.update', { artifact_id: first.artifactId, favorite: false }, { key: stranger.key });
    expect([foreign.status, foreign.body.error]).toEqual([404, { code: 'not_found', message: 'artifact not found' }]);
  });

  it('loses the artifacts of a deleted task immediately and permanently, and keeps the ID of a deleted key', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskIds: string[] = [];
    for (const path of ['gone.txt', 'stays.txt']) {
      const taskId = await api.createTask();
      await finishTask(api, taskId, [await delivery(api, path)]);
      taskIds.push(taskId);
    }
    const [gone, stays] = taskIds;
    const [first] = (await api.call('artifact.list', { limit: 1 })).body.data;
    expect(first).toMatchObject({ task_id: stays });
    const page = await api.call('artifact.list', { limit: 1 });
    await api.call('task.delete', { task_id: gone });
    const rest = await api.call('artifact.list', { limit: 1, cursor: page.body.next_cursor });
    expect(rest.body).toMatchObject({ data: [], has_more: false });
    expect((await api.call('artifact.list')).body.data).toMatchObject([{ task_id: stays, source: { id: api.owner.keyId } }]);
  });
});

describeStores('a filter of the library', (store) => {
  it('filters by category, task, credential and name, in combination', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId } = api.owner;
    const insert = (filename: string, changes = {}) => insertArtifact(store.query, accountId, { filename, ...changes });
    const task = newId(9);
    await insert('one.pdf', { taskId: task, apiKeyId: 'k1' });
    await insert('two.png', { taskId: task, apiKeyId: 'k1', displayName: 'Ähre_100%' });
    await insert('three.png', { oauthClientId: 'c1' });
    await insert('four.zip');
    await insert('five.pptx', { fileType: 'slides' });
    await insert('six.pptx');
    await insertArtifact(store.query, (await addOwner(store.database)).accountId, { filename: 'foreign.pdf' });
    const cases: [Json, unknown[]][] = [
      [{}, ['six.pptx', 'five.pptx', 'four.zip', 'three.png', 'two.png', 'one.pdf']],
      [{ type: 'all' }, ['six.pptx', 'five.pptx', 'four.zip', 'three.png', 'two.png', 'one.pdf']],
      [{ type: 'images' }, ['three.png', 'two.png']],
      [{ type: 'slides' }, ['five.pptx']],
      [{ type: 'others' }, ['six.pptx', 'four.zip']],
      [{ task_id: task }, ['two.png', 'one.pdf']],
      [{ api_key_id: 'k1', type: 'documents' }, ['one.pdf']],
      [{ oauth_client_id: 'c1' }, ['three.png']],
      [{ oauth_client_id: 'c1', task_id: task }, []],
      [{ query: 'ÄHRE' }, ['two.png']],
      [{ query: '100%' }, ['two.png']],
      [{ query: '_1' }, ['two.png']],
      [{ query: 'o.p' }, ['two.png']],
      [{ query: '%' }, ['two.png']],
      [{ query: '\\' }, []],
      [{ query: 'PPTX', type: 'slides' }, ['five.pptx']],
      [{ query: 'ähre_100%\ntwo' }, []],
      [{ query: 'a\u0000b' }, []],
      [{ task_id: 'no id at all' }, []],
      [{ api_key_id: 'unknown' }, []],
    ];
    for (const [input, names] of cases) expect([input, await listNames(api, input)]).toEqual([input, names]);
  });

  it('rejects invalid parameters by name', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const cases: [Json, RegExp][] = [
      [{ api_key_id: 'a', oauth_client_id: 'b' }, /api_key_id/],
      [{ type: 'movies' }, /^type: /],
      [{ limit: 0 }, /^limit: must be an integer between 1 and 100$/],
      [{ limit: 101 }, /^limit: /],
      [{ limit: 'ten' }, /^limit: /],
      [{ cursor: 'x' }, /^cursor: /],
      [{ query: 'x'.repeat(1001) }, /^query: /],
    ];
    for (const [input, message] of cases) {
      const { status, body } = await api.call('artifact.list', input);
      expect([input, status, body.error.code]).toEqual([input, 400, 'invalid_argument']);
      expect(body.error.message).toMatch(message);
    }
  });

  it('is available to an application with create_task only, and its cursors are useless to others', async () => {
    const { clientId } = await addApp(store.database, { name: 'Reports' });
    const scopes = new Map<string, { clientId: string; scopes: readonly Scope[]; trusted: 'team' | null }>([
      ['bound', { clientId, scopes: ['create_task'], trusted: null }],
      ['manager', { clientId: 'c2', scopes: ['manage_all_tasks'], trusted: null }],
      ['trusted', { clientId: 'c3', scopes: [], trusted: 'team' }],
    ]);
    const owner = await addOwner(store.database);
    const tokens = new Map<string, TokenOwner>(
      [...scopes].map(([name, via]) => [
        digestSecret(`token.of.${name}`),
        { accountId: owner.accountId, plan: 'pro', locale: 'en', via: { kind: 'oauth', grantId: 'g', connectors: [], ...via } },
      ]),
    );
    const findTokenOwner = (digest: string) => Promise.resolve(tokens.get(digest) ?? null);
    await using api = await ApiUnderTest.start(store.database, { owner, findTokenOwner });
    const as = (name: string) => ({ key: null, headers: { authorization: `Bearer token.of.${name}` } });
    for (const [filename, changes] of [
      ['own1.txt', { oauthClientId: clientId }],
      ['own2.txt', { oauthClientId: clientId }],
      ['key.txt', { apiKeyId: 'k1' }],
      ['person.txt', {}],
    ] as const) {
      await insertArtifact(store.query, owner.accountId, { filename, ...changes });
    }
    const all = ['person.txt', 'key.txt', 'own2.txt', 'own1.txt'];
    expect(await listNames(api, {}, as('bound'))).toEqual(['own2.txt', 'own1.txt']);
    expect(await listNames(api, { oauth_client_id: clientId }, as('bound'))).toEqual(['own2.txt', 'own1.txt']);
    expect(await listNames(api, { oauth_client_id: 'c9' }, as('bound'))).toEqual([403, 'permission_denied']);
    expect(await listNames(api, { api_key_id: 'k1' }, as('bound'))).toEqual([403, 'permission_denied']);
    expect(await listNames(api, {}, as('manager'))).toEqual(all);
    expect(await listNames(api, { api_key_id: 'k1' }, as('manager'))).toEqual(['key.txt']);
    expect(await listNames(api, {}, as('trusted'))).toEqual(all);
    const [{ source } = {}] = (await api.call('artifact.list', {}, as('bound'))).body.data;
    expect(source).toEqual({ type: 'oauth_client', id: clientId, name: 'Reports' });
    const bound = (await api.call('artifact.list', { limit: 1 }, as('bound'))).body.next_cursor;
    const full = (await api.call('artifact.list', { limit: 1 }, as('manager'))).body.next_cursor;
    const turn = async (cursor: unknown, options: object) =>
      (await api.call('artifact.list', { limit: 1, cursor }, options)).status;
    // The scope is what a cursor is bound to, not the credential.
    expect([await turn(full, as('trusted')), await turn(full, {})]).toEqual([200, 200]);
    expect([await turn(bound, as('manager')), await turn(full, as('bound'))]).toEqual([400, 400]);
    const stranger = await addOwner(store.database);
    expect(await turn(full, { key: stranger.key })).toBe(400);
  });
});
