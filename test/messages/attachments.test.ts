import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OutboundReply, OutboundRequest } from '@errand/base/net/safe-fetch.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { checkHeaders } from '@errand/base/net/safe-fetch-headers.ts';
import { maxPartBytes } from '../../src/api/messages/message-part.ts';
import { uploadLimits } from '../../src/rules/files/upload-policy.ts';
import { expireFiles } from '../../src/store/files/files.ts';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { addOwner, type Answer, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';

const csv = `data:text/csv;base64,${Buffer.from('a,b\n1,2\n').toString('base64')}`;

/** What the outside world answers. */
const world: Record<string, Partial<OutboundReply>> = {
  'https://example.com/files/report%20one.pdf': { body: Buffer.from('%PDF-1.7'), headers: { 'content-type': 'application/pdf' } },
  'https://example.com/': { body: Buffer.from('<p>'), headers: { 'content-type': 'text/html; charset=utf-8' } },
  'https://example.com/missing': { status: 404 },
  'https://example.com/large.bin': { body: Buffer.alloc(maxPartBytes + 1) },
  'https://example.com/setup.exe': { body: Buffer.from('MZ') },
};

/** Like the real door it refuses headers that are its own. */
async function answer({ url, headers, receive, maxBytes }: OutboundRequest): Promise<OutboundReply> {
  checkHeaders(headers ?? {});
  const found = world[url];
  if (!found) throw new OutboundFault('blocked', 'must lead to a public address');
  const reply = { status: 200, headers: {}, body: Buffer.alloc(0), isTruncated: false, finalUrl: url, address: '203.0.113.1' };
  const whole = { ...reply, ...found };
  expect(whole.body.length).toBeLessThanOrEqual(maxBytes);
  await receive?.(Readable.from([whole.body]), whole);
  return whole;
}

describeStores('a message with files', (store) => {
  const clock = new TestClock(Date.now());
  let api: ApiUnderTest;
  let owner: Owner;
  beforeAll(async () => {
    api = await ApiUnderTest.start(store.database, { clock, httpClient: { request: answer } });
  });
  beforeEach(async () => {
    owner = await addOwner(store.database);
    api.blobStore.kept.clear();
  });
  afterAll(() => api.stop());

  const call = (name: string, input: Json = {}, key = owner.key) => api.call(name, input, { key });
  const create = (content: unknown, more: Json = {}) => call('task.create', { message: { content }, ...more });
  const upload = async (filename = 'data.csv', bytes = 'a,b\n') => {
    const { body } = await call('file.upload', { filename });
    await fetch(String(body.upload_url), { method: 'PUT', body: bytes });
    return String((body.file as Json).id);
  };
  /** The attachments of the newest user message, as clients read them. */
  const attachmentsOf = async (taskId: string) => {
    const { body } = await call('task.listMessages', { task_id: taskId });
    const message = body.messages.find(({ type }) => type === 'user_message')?.user_message as Json;
    return { message, attachments: message.attachments as Record<'type' | 'filename' | 'url' | 'content_type', string>[] };
  };
  const problem = ({ status, body }: Answer) => [status, body.error.code, body.error.message];

  it('stores data, uploads and URLs, in the order of the parts, before it is acknowledged', async () => {
    const fileId = await upload('numbers.csv');
    const { status, body } = await create([
      { type: 'text', text: 'Compare these.' },
      { type: 'file', file_url: 'https://example.com/files/report%20one.pdf' },
      { type: 'file', file_data: csv, filename: 'small.csv' },
      { type: 'file', file_id: fileId },
      { text: 'Thanks.' },
      { type: 'file', file_data: 'data:image/png;base64,iVBORw0KGgo=', filename: 'dot.png' },
    ]);
    expect(status).toBe(200);
    const { message, attachments } = await attachmentsOf(String(body.task_id));
    expect(message).toMatchObject({ content: 'Compare these.\nThanks.', message_type: 'text' });
    expect(attachments.map(({ type, filename, content_type }) => [type, filename, content_type])).toEqual([
      ['file', 'report one.pdf', 'application/pdf'],
      ['file', 'small.csv', 'text/csv'],
      ['file', 'numbers.csv', 'text/csv'],
      ['image', 'dot.png', 'image/png'],
    ]);
    const texts = await Promise.all(attachments.slice(0, 3).map(async ({ url }) => (await fetch(url)).text()));
    expect(texts).toEqual(['%PDF-1.7', 'a,b\n1,2\n', 'a,b\n']);
  });

  it('accepts what compatible clients send: parts without type, null fields, base64 of either alphabet and with line ends', async () => {
    const bytes = Buffer.from([251, 255, 254, 250]);
    for (const encoded of [
      bytes.toString('base64'),
      bytes.toString('base64url'),
      `${bytes.toString('base64').slice(0, 4)}\r\n${bytes.toString('base64').slice(4)}`,
    ]) {
      const part = {
        file_data: `data:application/x-thing;base64,${encoded}`,
        filename: 'a.thing',
        file_id: null,
        mime_type: null,
      };
      const { status, body } = await create([{ text: 'x', type: null }, part]);
      expect(status).toBe(200);
      const { attachments } = await attachmentsOf(String(body.task_id));
      expect(attachments[0]).toMatchObject({ filename: 'a.thing', content_type: 'application/x-thing' });
      expect(Buffer.from(await (await fetch(attachments[0]?.url ?? '')).arrayBuffer())).toEqual(bytes);
    }
  });

  it('may be a single file, whose name becomes the title, or speech', async () => {
    const silent = await create([{ type: 'file', file_data: csv, filename: 'budget.csv' }]);
    expect(silent.body.task_title).toBe('budget.csv');
    const spoken = await create([{ type: 'voice', file_data: 'data:audio/mpeg;base64,SUQz', filename: 'memo.mp3' }]);
    const { message, attachments } = await attachmentsOf(String(spoken.body.task_id));
    expect(message.message_type).toBe('voice');
    expect(attachments[0]).toMatchObject({ type: 'voice', filename: 'memo.mp3', content_type: 'audio/mpeg' });
  });

  it('can be sent later, also to an idle task', async () => {
    const { body } = await create('Begin');
    await call('task.stop', { task_id: body.task_id });
    const sent = await call('task.sendMessage', {
      task_id: body.task_id,
      message: { content: [{ type: 'file', file_data: csv, filename: 'b.csv' }] },
    });
    expect(sent.status).toBe(200);
    expect((await attachmentsOf(String(body.task_id))).attachments[0]?.filename).toBe('b.csv');
  });

  const field = 'message.content[0]';
  it.each<[string, Json, number, string, string]>([
    ['no source', { type: 'file' }, 400, 'invalid_argument', `${field}: must have one of file_id, file_url and file_data`],
    [
      'two sources',
      { type: 'file', file_id: 'x', file_url: 'y' },
      400,
      'invalid_argument',
      `${field}: must have only one of file_id, file_url and file_data`,
    ],
    ['data without a name', { type: 'file', file_data: csv }, 400, 'invalid_argument', `${field}.filename is required`],
    [
      'bare base64',
      { type: 'file', file_data: 'YSxi', filename: 'a' },
      400,
      'invalid_argument',
      `${field}.file_data: must be a data URI: data:<type>;base64,<base64>`,
    ],
    [
      'a data URI without base64',
      { type: 'file', file_data: 'data:text/plain,hello', filename: 'a' },
      400,
      'invalid_argument',
      `${field}.file_data: must be a data URI: data:<type>;base64,<base64>`,
    ],
    [
      'broken base64',
      { type: 'file', file_data: 'data:;base64,a!b', filename: 'a' },
      400,
      'invalid_argument',
      `${field}.file_data: must be a data URI: data:<type>;base64,<base64>`,
    ],
    [
      'a wrong type of part',
      { type: 'image', file_id: 'x' },
      400,
      'invalid_argument',
      `${field}.type: must be one of "text", "file", "voice"`,
    ],
    ['a number for an id', { type: 'file', file_id: 7 }, 400, 'invalid_argument', `${field}.file_id: must be a string`],
    [
      'a program',
      { type: 'file', file_data: csv, filename: 'a.exe' },
      400,
      'invalid_argument',
      `${field}.filename: files of type .exe are not accepted, because they are programs or scripts`,
    ],
    [
      'an unknown upload',
      { type: 'file', file_id: 'file-0000000000000000000000' },
      404,
      'not_found',
      `${field}.file_id: file not found`,
    ],
    ['nonsense for an id', { type: 'file', file_id: '../x' }, 404, 'not_found', `${field}.file_id: file not found`],
    [
      'an address inside',
      { type: 'file', file_url: 'http://127.0.0.1/' },
      400,
      'invalid_argument',
      `${field}.file_url: must lead to a public address`,
    ],
    [
      'an address without a file',
      { type: 'file', file_url: 'https://example.com/missing' },
      400,
      'invalid_argument',
      `${field}.file_url: the server answered with status 404`,
    ],
    [
      'a file that is too large',
      { type: 'file', file_url: 'https://example.com/large.bin' },
      400,
      'invalid_argument',
      `${field}.file_url: must have at most 20 MB`,
    ],
    [
      'an address of a program',
      { type: 'file', file_url: 'https://example.com/setup.exe' },
      400,
      'invalid_argument',
      `${field}.file_url: files of type .exe are not accepted, because they are programs or scripts`,
    ],
  ])('is refused for %s, in words that name the field', async (_, part, status, code, message) => {
    expect(problem(await create([part]))).toEqual([status, code, message]);
    expect(api.blobStore.kept.size).toBe(0);
  });

  it('is rejected above 20 MB of data, and accepted up to that', async () => {
    const data = (bytes: number) => `data:;base64,${Buffer.alloc(bytes).toString('base64')}`;
    const large = await create([{ type: 'file', file_data: data(maxPartBytes + 1), filename: 'a.bin' }]);
    expect(problem(large)).toEqual([400, 'invalid_argument', `${field}.file_data: must have at most 20 MB`]);
    expect((await create([{ type: 'file', file_data: data(maxPartBytes), filename: 'a.bin' }])).status).toBe(200);
  });

  it('finds an upload only once it is complete, and only in its own account', async () => {
    const pending = String(((await call('file.upload', { filename: 'a.txt' })).body.file as Json).id);
    expect(problem(await create([{ type: 'file', file_id: pending }]))).toEqual([
      400,
      'invalid_argument',
      `${field}.file_id: the file has not been uploaded`,
    ]);
    const fileId = await upload();
    const stranger = await addOwner(store.database);
    const foreign = await call('task.create', { message: { content: [{ type: 'file', file_id: fileId }] } }, stranger.key);
    expect(problem(foreign)).toEqual([404, 'not_found', `${field}.file_id: file not found`]);
  });

  it('fetches and stores nothing for a task that does not exist', async () => {
    const content = [{ type: 'file', file_data: csv, filename: 'a.csv' }];
    const sent = await call('task.sendMessage', { task_id: '0000000000000000000000', message: { content } });
    expect(sent.status).toBe(404);
    expect(api.blobStore.kept.size).toBe(0);
  });

  describe('keeps its files', () => {
    const isServed = async (taskId: string) => (await fetch((await attachmentsOf(taskId)).attachments[0]?.url ?? '')).status;
    const sweep = async () => {
      await store.database.run(expireFiles, { now: clock.now(), limit: 100 });
      while ((await api.blobs.sweep()) > 0);
    };

    it('when the upload is deleted or expired, for as long as any of its tasks exists', async () => {
      const [deleted, old] = [await upload('deleted.csv'), await upload('old.csv')];
      const use = async (fileId: string) => String((await create([{ type: 'file', file_id: fileId }])).body.task_id);
      const [first, second, third] = [await use(deleted), await use(deleted), await use(old)];
      await call('file.delete', { file_id: deleted });
      clock.jump(uploadLimits.retentionMs);
      await sweep();
      expect([await isServed(first), await isServed(second), await isServed(third)]).toEqual([200, 200, 200]);
      expect(problem(await create([{ type: 'file', file_id: old }]))).toEqual([
        404,
        'not_found',
        `${field}.file_id: file not found`,
      ]);
      await call('task.delete', { task_id: first });
      await sweep();
      expect([await isServed(second), api.blobStore.kept.size]).toEqual([200, 2]);
      for (const taskId of [second, third]) await call('task.delete', { task_id: taskId });
      await sweep();
      expect(api.blobStore.kept.size).toBe(0);
      expect(await store.query('SELECT id FROM blobs')).toEqual([]);
    });

    it('once, when the same request is repeated', async () => {
      const headers = { 'idempotency-key': 'once' };
      const ask = () =>
        api.call(
          'task.create',
          { message: { content: [{ type: 'file', file_data: csv, filename: 'a.csv' }] } },
          { key: owner.key, headers },
        );
      const [first, again] = [await ask(), await ask()];
      expect(again.body.task_id).toBe(first.body.task_id);
      await store.query('UPDATE blobs SET sweep_at = 1 WHERE sweep_at IS NOT NULL');
      await sweep();
      expect(api.blobStore.kept.size).toBe(1);
      expect(await isServed(String(first.body.task_id))).toBe(200);
    });
  });
});
