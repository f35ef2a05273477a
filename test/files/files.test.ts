import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uploadLimits } from '../../src/rules/files/upload-policy.ts';
import { expireFiles } from '../../src/store/files/files.ts';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { type Answer, addOwner, ApiUnderTest, type Owner } from '../support/http/api-under-test.ts';

describeStores('file', (store) => {
  const clock = new TestClock(Date.now());
  let api: ApiUnderTest;
  let owner: Owner;
  beforeAll(async () => {
    api = await ApiUnderTest.start(store.database, { clock });
  });
  beforeEach(async () => {
    owner = await addOwner(store.database);
    api.blobStore.kept.clear();
  });
  afterAll(() => api.stop());

  const call = (name: string, input = {}) => api.call(name, input, { key: owner.key });
  const upload = async (filename = 'data.csv') => {
    const { status, body } = await call('file.upload', { filename });
    expect(status).toBe(200);
    const file = body.file as Record<string, unknown>;
    return { fileId: String(file.id), url: String(body.upload_url), file, body };
  };
  const detail = async (fileId: string) => (await call('file.detail', { file_id: fileId })).body.file as Record<string, unknown>;
  const put = async (url: string, body: string | Uint8Array = 'a,b\n1,2\n', headers: Record<string, string> = {}) =>
    fetch(url, { method: 'PUT', body: body as string, headers });
  const kept = () => [...api.blobStore.kept.values()].map(String);
  const isFault = ({ status, body }: Answer) => [status, body.error.code];

  describe('upload', () => {
    it('accepts one PUT without a key, after which the file is available', async () => {
      const { fileId, url, file, body } = await upload();
      expect(fileId).toMatch(/^file-[0-9A-Za-z]{22}$/);
      expect(file).toEqual({ id: fileId, filename: 'data.csv', status: 'pending', created_at: Math.floor(clock.now() / 1000) });
      expect(body.upload_expires_at).toBe(Math.floor((clock.now() + 180_000) / 1000));
      expect(await detail(fileId)).toMatchObject({ status: 'pending', bytes: null, error_message: null });
      expect((await put(url)).status).toBe(200);
      expect(await detail(fileId)).toEqual({
        ...file,
        status: 'uploaded',
        bytes: 8,
        content_type: 'text/csv',
        expires_at: Math.floor((clock.now() + 48 * 3_600_000) / 1000),
        error_message: null,
      });
      expect(kept()).toEqual(['a,b\n1,2\n']);
    });

    it.each([
      'application/octet-stream',
      'application/json',
      'text/csv; charset=utf-8',
      'multipart/form-data; boundary=x',
      'not a type',
      '',
    ])('takes a PUT with content-type %j', async (contentType) => {
      const { fileId, url } = await upload();
      const bytes = Buffer.from('{"not json');
      const target = new URL(url);
      const headers = { 'content-length': bytes.length, ...(contentType && { 'content-type': contentType }) };
      const sending = request(target, { method: 'PUT', headers }).end(bytes);
      const [response] = (await once(sending, 'response')) as [{ statusCode: number; resume(): void }];
      response.resume();
      expect(response.statusCode).toBe(200);
      expect(await detail(fileId)).toMatchObject({ status: 'uploaded', bytes: bytes.length, content_type: 'text/csv' });
    });

    it('accepts chunked bodies of unknown length, and empty ones', async () => {
      const [chunked, empty] = [await upload(), await upload()];
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from('one,'));
          controller.enqueue(Buffer.from('two'));
          controller.close();
        },
      });
      await fetch(chunked.url, { method: 'PUT', body, duplex: 'half' });
      await put(empty.url, '');
      expect(await detail(chunked.fileId)).toMatchObject({ status: 'uploaded', bytes: 7 });
      expect(await detail(empty.fileId)).toMatchObject({ status: 'uploaded', bytes: 0 });
    });

    it('replaces the bytes when the PUT is repeated', async () => {
      const { fileId, url } = await upload();
      await put(url, 'first');
      await put(url, 'second time');
      expect(await detail(fileId)).toMatchObject({ status: 'uploaded', bytes: 11 });
      await api.blobs.sweep();
      expect(kept()).toEqual(['second time']);
    });

    it('rejects a PUT that is late, forged, or for another file, and stores nothing', async () => {
      const [late, other] = [await upload(), await upload()];
      const forged = late.url.replace(late.fileId, other.fileId);
      expect((await put(forged)).status).toBe(403);
      expect((await put(`${late.url}x`)).status).toBe(403);
      expect((await put(late.url.split('?')[0] ?? '')).status).toBe(403);
      clock.jump(uploadLimits.beginMs);
      expect((await put(late.url)).status).toBe(403);
      clock.jump(uploadLimits.transferMs);
      expect(await detail(late.fileId)).toMatchObject({ status: 'error', error_message: 'The upload did not arrive in time.' });
      expect(kept()).toEqual([]);
    });

    it('rejects a file over the size limit at once, and keeps nothing of an interrupted one', async () => {
      const { fileId, url } = await upload();
      const target = new URL(url);
      const ask = (length: number, body: string) => {
        const socket = connect(Number(target.port), target.hostname);
        socket.write(`PUT ${target.pathname}${target.search} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${body}`);
        return socket;
      };
      const large = ask(uploadLimits.fileBytes + 1, 'x');
      const [answer] = (await once(large, 'data')) as [Buffer];
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 [\s\S]*payload_too_large/);
      large.destroy();
      const putBlob = api.blobStore.put.bind(api.blobStore);
      const { promise: failed, resolve } = Promise.withResolvers<unknown>();
      api.blobStore.put = async (...args) => {
        try {
          return await putBlob(...args);
        } catch (error) {
          resolve(error);
          throw error;
        }
      };
      const cut = ask(100, 'only a part');
      setImmediate(() => cut.end());
      await failed;
      api.blobStore.put = putBlob;
      expect(kept()).toEqual([]);
      expect(await detail(fileId)).toMatchObject({ status: 'pending', bytes: null });
    });

    it('rejects programs by their name, with a message that names the field', async () => {
      for (const filename of ['setup.exe', 'run.sh', 'x.bat', 'Install.DMG']) {
        const answer = await call('file.upload', { filename });
        expect(isFault(answer)).toEqual([400, 'invalid_argument']);
        expect(answer.body.error.message).toMatch(/^filename: /);
      }
      expect((await call('file.upload')).body.error.message).toBe('filename is required');
    });

    it("rejects uploads over the account's quota, and accepts them again when there is space", async () => {
      const [first, second] = [await upload(), await upload()];
      await put(first.url);
      await store.query('UPDATE files SET bytes = ? WHERE id = ?', uploadLimits.accountBytes - 4, first.fileId);
      const refused = await put(second.url, '12345');
      expect([refused.status, ((await refused.json()) as Answer['body']).error.code]).toEqual([429, 'resource_exhausted']);
      const unannounced = new ReadableStream({
        pull(controller) {
          controller.enqueue(Buffer.alloc(70_000));
          controller.close();
        },
      });
      expect((await fetch(second.url, { method: 'PUT', body: unannounced, duplex: 'half' })).status).toBe(429);
      expect(kept()).toHaveLength(1);
      expect((await put(second.url, '1234')).status).toBe(200);
      expect(isFault(await call('file.upload', { filename: 'a.txt' }))).toEqual([429, 'resource_exhausted']);
      await call('file.delete', { file_id: first.fileId });
      expect((await call('file.upload', { filename: 'a.txt' })).status).toBe(200);
    });

    it('accepts uploads from pages of other origins', async () => {
      const { url } = await upload();
      const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://app.example.com' } });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-methods')).toBe('PUT');
    });

    it('answers a repeated request with the same file and a working URL', async () => {
      const headers = { 'idempotency-key': 'upload-1' };
      const ask = () => api.call('file.upload', { filename: 'a.txt' }, { key: owner.key, headers });
      const [first, again] = [await ask(), await ask()];
      expect(again.body.file).toEqual(first.body.file);
      expect((await put(String(again.body.upload_url))).status).toBe(200);
    });
  });

  describe('delete', () => {
    it('deletes the bytes, keeps the name for a while, and cannot be undone', async () => {
      const { fileId, url } = await upload();
      await put(url);
      expect((await call('file.delete', { file_id: fileId })).status).toBe(200);
      expect(await detail(fileId)).toMatchObject({ status: 'deleted', bytes: null });
      expect((await put(url)).status).toBe(404);
      expect(isFault(await call('file.delete', { file_id: fileId }))).toEqual([404, 'not_found']);
      await api.blobs.sweep();
      expect(kept()).toEqual([]);
    });

    it('does not find files of other accounts, or invalid ids', async () => {
      const { fileId } = await upload();
      const stranger = await addOwner(store.database);
      for (const id of [fileId, 'file-0000000000000000000000', 'nonsense', 'file-../x']) {
        for (const name of ['file.detail', 'file.delete']) {
          const answer = await api.call(name, { file_id: id }, { key: stranger.key });
          expect([answer.status, answer.body.error]).toEqual([404, { code: 'not_found', message: 'file not found' }]);
        }
      }
      expect(await detail(fileId)).toMatchObject({ status: 'pending' });
    });
  });

  it('expires 48 hours after its upload, immediately for readers and permanently with the next sweep', async () => {
    const { fileId, url } = await upload();
    const pending = await upload();
    clock.jump(60_000);
    await put(url);
    clock.jump(uploadLimits.retentionMs - 1);
    expect(await detail(fileId)).toMatchObject({ status: 'uploaded' });
    clock.jump(1);
    expect(await detail(fileId)).toMatchObject({ status: 'deleted', bytes: null });
    await store.database.run(expireFiles, { now: clock.now(), limit: 100 });
    await api.blobs.sweep();
    expect(kept()).toEqual([]);
    expect(isFault(await call('file.detail', { file_id: pending.fileId }))).toEqual([404, 'not_found']);
    clock.jump(uploadLimits.retentionMs);
    await store.database.run(expireFiles, { now: clock.now(), limit: 100 });
    expect(isFault(await call('file.detail', { file_id: fileId }))).toEqual([404, 'not_found']);
  });
});
