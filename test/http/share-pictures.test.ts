import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { SqlValue } from '../../src/store/db/store-operation.ts';
import { insertArtifact } from '../support/artifacts/artifact-samples.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { inPieces } from '../support/files/blob-store-contract.ts';
import { createFolder } from '../support/process/leftovers.ts';

async function writePage(): Promise<string> {
  const folder = join(createFolder('web'), 'dist');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Errand</title><div id="root"></div>');
  await writeFile(join(folder, 'service-worker.js'), '');
  return folder;
}

async function drawCover(): Promise<Buffer> {
  return sharp({ create: { width: 640, height: 400, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();
}

describeStores('the picture of a shared task', (store) => {
  const create = async (api: ApiUnderTest, more: Json) => {
    const { body } = await api.call('task.create', { message: { content: 'x' }, title: 'Sales of May', ...more });
    const { share_url: url } = body;
    return { taskId: String(body.task_id), url, path: typeof url === 'string' ? new URL(url).pathname : '' };
  };
  const fetchPicture = async (api: ApiUnderTest, path: string, headers: Record<string, string> = {}) => {
    const answer = await api.fetch(`${path}/picture.png`, {}, { key: null, headers });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it('is a PNG of 1200 by 630 pixels, for everybody, whose absolute URL the page names', async () => {
    await using api = await ApiUnderTest.start(store.database, { webFolder: await writePage() });
    const { url, path } = await create(api, { share_visibility: 'public', title: `"><script>alert(1)</script>` });
    const page = await (await api.fetch(path, {}, { key: null })).text();
    expect(page).toContain(`<meta property="og:image" content="${String(url)}/picture.png" />`);
    expect(url).toMatch(/^http:/);
    expect(page).not.toContain('<script>alert');
    const { status, headers, bytes } = await fetchPicture(api, path);
    const { format, width, height } = await sharp(bytes).metadata();
    expect([status, format, width, height]).toEqual([200, 'png', 1200, 630]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    });
    const known = await fetchPicture(api, path, { 'if-none-match': headers.get('etag') ?? '' });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
  });

  it('exists only while everybody may see the task', async () => {
    await using api = await ApiUnderTest.start(store.database, { webFolder: await writePage() });
    const { headers } = await addSession(store.database, api.owner.accountId);
    const [open, team, own] = [
      await create(api, { share_visibility: 'public' }),
      await create(api, { share_visibility: 'team' }),
      await create(api, {}),
    ];
    const statusAt = async (path: string, cookie = '') => (await fetchPicture(api, path, { cookie })).status;
    expect(await statusAt(open.path)).toBe(200);
    const foreign = [team.path, `/share/${open.taskId}`, `/share/${own.taskId}`, '/share/AAAAAAAAAAAAAAAAAAAAAA', '/share/%00'];
    for (const path of foreign) {
      for (const cookie of ['', headers.cookie]) expect([path, await statusAt(path, cookie)]).toEqual([path, 404]);
    }
    await api.call('task.update', { task_id: open.taskId, share_visibility: 'private' });
    expect(await statusAt(open.path)).toBe(404);
    await api.call('task.update', { task_id: open.taskId, share_visibility: 'team' });
    const { body } = await api.call('task.detail', { task_id: open.taskId });
    expect(await statusAt(new URL(String(body.task.share_url)).pathname, headers.cookie)).toBe(404);
  });

  it('shows the first result that has a picture, and follows the title', async () => {
    await using api = await ApiUnderTest.start(store.database, { webFolder: await writePage() });
    const { taskId, path } = await create(api, { share_visibility: 'public' });
    const plain = await fetchPicture(api, path);
    const { accountId } = api.owner;
    const query = (text: string, ...params: SqlValue[]) => store.query(text, ...params);
    for (const filename of ['a.txt', 'b.png']) await insertArtifact(query, accountId, { taskId, filename });
    const { blobId, bytes } = await api.blobs.put(accountId, inPieces(await drawCover()), { maxBytes: 1_000_000 });
    const cover = JSON.stringify({ blobId, filename: 'cover.png', contentType: 'image/png', bytes });
    await store.query(`UPDATE artifacts SET cover = ? WHERE task_id = ? AND filename = 'b.png'`, cover, taskId);
    const shown = await fetchPicture(api, path);
    const inside = sharp(shown.bytes).extract({ left: 900, top: 300, width: 1, height: 1 }).removeAlpha();
    expect([...(await inside.raw().toBuffer())]).toEqual([0, 0, 255]);
    await api.call('task.update', { task_id: taskId, title: 'Sales of June' });
    const renamed = await fetchPicture(api, path);
    const tags = [plain, shown, renamed].map(({ headers }) => headers.get('etag'));
    expect(new Set(tags).size).toBe(3);
    expect(renamed.bytes.equals(shown.bytes)).toBe(false);
  });
});
