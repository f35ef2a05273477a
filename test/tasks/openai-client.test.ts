import { connect } from 'node:net';
import OpenAI, { toFile } from 'openai';
import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';
import { someText } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

/** As pages of the service tell people to set it up: a placeholder as key, the real one in a header, no version in the address. */
function openaiClient(api: ApiUnderTest, version = ''): OpenAI {
  const defaultHeaders = { API_KEY: api.owner.key };
  return new OpenAI({ baseURL: `${api.http.url()}${version}`, apiKey: '**', defaultHeaders, maxRetries: 0 });
}

describeStores('the official OpenAI client', (store) => {
  it.each(['', '/v1'])('creates, polls, continues and deletes a response at %j', async (version) => {
    await using api = await ApiUnderTest.start(store.database);
    const client = openaiClient(api, version);
    const input = [{ role: 'user' as const, content: [{ type: 'input_text' as const, text: 'which colour has grass?' }] }];
    const extra = { task_mode: 'agent', agent_profile: 'manus-1.6-lite' };
    const made = await client.responses.create({ model: 'any', input, ...extra });
    expect(made).toMatchObject({ object: 'response', status: 'running', model: 'manus-1.6-lite-agent' });
    await (await WorkerHand.take(store.database, made.id)).finish('green');
    const done = await client.responses.retrieve(made.id);
    expect(done.status).toBe('completed');
    expect(done.output.map((item) => ('role' in item ? item.role : null))).toEqual(['user', 'assistant']);
    expect(done.output_text).toContain('green');
    expect(done.metadata).toMatchObject({ task_title: 'which colour has grass?', credit_usage: '1' });
    const next = await client.responses.create({
      model: 'service-1.6-max',
      input: 'and the sky?',
      previous_response_id: made.id,
    });
    expect([next.id, next.status]).toEqual([made.id, 'running']);
    await client.responses.delete(made.id);
    await expect(client.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it('reports errors of its key and its request', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = new OpenAI({ baseURL: api.http.url(), apiKey: '**', defaultHeaders: { API_KEY: 'sk-x' }, maxRetries: 0 });
    await expect(stranger.responses.create({ model: 'm', input: 'x' })).rejects.toMatchObject({ status: 401 });
    const unknown = openaiClient(api).responses.retrieve('0'.repeat(22));
    await expect(unknown).rejects.toMatchObject({ status: 404 });
  });

  it.each(['', '/v1'])('sends files at %j, and asks about them', async (version) => {
    await using api = await ApiUnderTest.start(store.database);
    const client = openaiClient(api, version);
    const bytes = Buffer.from('colour,count\ngrün,3\n');
    const file = await client.files.create({ file: await toFile(bytes, 'grün 🙂.csv'), purpose: 'user_data' });
    expect(file).toMatchObject({ object: 'file', filename: 'grün 🙂.csv', bytes: bytes.length, status: 'uploaded' });
    expect((await client.files.retrieve(file.id)).bytes).toBe(bytes.length);
    const parts = [
      { type: 'input_text' as const, text: 'how many are green?' },
      { type: 'input_file' as const, file_id: file.id },
    ];
    const made = await client.responses.create({ model: 'any', input: [{ role: 'user' as const, content: parts }] });
    const { messages } = (await api.call('task.listMessages', { task_id: made.id })).body;
    const said = messages.find(({ type }) => type === 'user_message')?.user_message as { attachments: { url: string }[] };
    expect(said.attachments).toMatchObject([{ filename: 'grün 🙂.csv', content_type: 'text/csv' }]);
    const kept = await fetch(said.attachments[0]?.url ?? '');
    expect(Buffer.from(await kept.arrayBuffer()).equals(bytes)).toBe(true);
    const content = await client.files.content(file.id);
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    await client.files.delete(file.id);
    await expect(client.files.content(file.id)).rejects.toMatchObject({ status: 404 });
    await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404 });
  });

  it('returns the bytes of a file as a download, whole, in part or only their size, to its account only', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const sent = await toFile(Buffer.from('<script>alert(1)</script>'), 'page.html');
    const { id } = await openaiClient(api).files.create({ file: sent, purpose: 'user_data' });
    const ask = async (headers: Record<string, string> = {}, method = 'GET', address = `/v1/files/${id}/content`) => {
      const response = await fetch(api.http.url() + address, { method, headers: { API_KEY: api.owner.key, ...headers } });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const whole = await ask();
    expect([whole.status, whole.text]).toEqual([200, '<script>alert(1)</script>']);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      'content-security-policy': someText(/^sandbox; default-src 'none'/),
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    });
    expect(whole.headers.get('access-control-allow-origin')).toBeNull();
    const part = await ask({ range: 'bytes=1-6' });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, 'script', 'bytes 1-6/25']);
    const behind = await ask({ range: 'bytes=25-' });
    expect([behind.status, behind.headers.get('content-range')]).toEqual([416, 'bytes */25']);
    expect(JSON.parse(behind.text)).toMatchObject({ code: 3, details: [] });
    const size = await ask({}, 'HEAD');
    expect([size.status, size.text, size.headers.get('content-length')]).toEqual([200, '', '25']);
    expect((await ask({ 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304);
    const other = await addOwner(store.database);
    const notFound = { code: 5, message: 'file not found or has been deleted', details: [] };
    for (const refused of [
      await ask({ API_KEY: other.key }),
      await ask({}, 'GET', '/files/x/content'),
      await ask({}, 'GET', `/files/file-${'0'.repeat(22)}/content`),
    ]) {
      expect([refused.status, JSON.parse(refused.text)]).toEqual([404, notFound]);
    }
    expect((await ask({ API_KEY: 'sk-x' })).status).toBe(401);
  });

  it('leaves nothing behind of a form that is rejected or interrupted', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const send = async (form: FormData | string, headers: Record<string, string> = {}) => {
      const init = { method: 'POST', body: form, headers: { API_KEY: api.owner.key, ...headers } };
      const response = await fetch(`${api.http.url()}/v1/files`, init);
      const { message = '' } = (await response.json()) as { message?: string };
      return [response.status, message];
    };
    const form = (...files: readonly [name: string, bytes: number, filename: string][]) => {
      const made = new FormData();
      for (const [name, bytes, filename] of files) made.append(name, new Blob([new Uint8Array(bytes)]), filename);
      return made;
    };
    const multipart = 'multipart/form-data';
    expect(await send(form(['file', 33 * 1024 * 1024, 'a.bin']))).toEqual([413, someText(/at most 32 MB/)]);
    expect(await send(form())).toEqual([400, someText(/./)]);
    expect(await send(form(['other', 1, 'a.txt']))).toEqual([400, someText(/in the field file/)]);
    expect(await send(form(['file', 1, 'a.txt'], ['file', 1, 'b.txt']))).toEqual([400, someText(/too many parts/)]);
    expect(await send(form(['file', 1, 'a.exe']))).toEqual([400, someText(/filename/)]);
    expect(await send('x', { 'content-type': multipart })).toEqual([400, someText(/form/)]);
    expect(await send('--b\r\n', { 'content-type': `${multipart}; boundary=b` })).toEqual([400, someText(/form/)]);
    expect(await send(form(['file', 1, 'a.txt']), { 'idempotency-key': 'k' })).toEqual([400, someText(/Idempotency-Key/)]);
    expect(await send(form(['file', 1, 'a.txt']), { API_KEY: 'sk-nobody' })).toEqual([401, someText(/./)]);
    const many = new FormData();
    for (let count = 0; count < 30; count++) many.append(`f${count}`, 'x');
    expect(await send(many)).toEqual([400, someText(/too many parts/)]);

    const socket = connect(api.port, '127.0.0.1');
    const head = `POST /files HTTP/1.1\r\nhost: localhost\r\nAPI_KEY: ${api.owner.key}\r\ncontent-type: ${multipart}; boundary=b\r\n`;
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="cut.txt"\r\n\r\nhalf of it';
    socket.write(`${head}content-length: 5000\r\n\r\n${part}`);
    const pending = async () =>
      (await store.query("SELECT id FROM files WHERE filename = 'cut.txt' AND status <> 'deleted'")).length;
    await expect.poll(pending).toBe(1);
    socket.destroy();
    await expect.poll(pending).toBe(0);
    expect((await openaiClient(api).files.list()).data).toEqual([]);
    expect(await store.query("SELECT id FROM files WHERE status = 'uploaded'")).toEqual([]);
  });
});

describeStores('an option of the official OpenAI client', (store) => {
  // Deprecated in the package, but still sent.
  type Truncation = { truncation?: 'auto' | 'disabled' | null };
  type Options = Partial<Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'truncation'>> & Truncation;
  const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false };

  it('is honoured, ignored by name if it only tunes the work, or refused by name with what to do instead', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const client = openaiClient(api);
    const create = (options: Options) => client.responses.create({ model: 'service-1.6', input: 'count', ...options });
    const honoured: Options[] = [
      { text: { format: { type: 'json_schema', name: 'answer', schema } } },
      { text: { format: { type: 'text' }, verbosity: 'medium' } },
      { tools: [{ type: 'web_search' }, { type: 'code_interpreter', container: { type: 'auto' } }], tool_choice: 'auto' },
      { temperature: 1, top_p: 1, top_logprobs: 0, parallel_tool_calls: false },
      { background: true, store: true, stream: false, truncation: 'auto', include: [], reasoning: {} },
      { background: null, store: null, truncation: null, include: null, reasoning: { effort: null }, max_output_tokens: null },
      { metadata: { order: 'a 1' } },
    ];
    for (const options of honoured) expect([options, (await create(options)).status]).toEqual([options, 'running']);
    const refused: [field: string, options: Options][] = [
      ['text.format.type', { text: { format: { type: 'json_object' } } }],
      ['tools[0].type', { tools: [{ type: 'function', name: 'f', parameters: null, strict: null }] }],
      ['tools[0].type', { tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }],
      ['tools[0].filters', { tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] }],
      ['tools[0].container', { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }] }],
      ['tools[0].container', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
      ['tool_choice', { tool_choice: 'none' }],
      ['tool_choice', { tool_choice: { type: 'web_search_preview' } }],
      ['max_output_tokens', { max_output_tokens: 100 }],
      ['max_tool_calls', { max_tool_calls: 3 }],
      ['conversation', { conversation: 'conv_1' }],
      ['prompt', { prompt: { id: 'pmpt_1' } }],
    ];
    const ignored: [field: string, options: Options][] = [
      ['text.verbosity', { text: { verbosity: 'low' } }],
      ['reasoning', { reasoning: { effort: 'high', summary: 'auto' } }],
      ['temperature, top_p', { temperature: 0.2, top_p: 0.5 }],
      ['top_logprobs', { top_logprobs: 2 }],
      ['background, store', { background: false, store: false }],
      ['truncation', { truncation: 'disabled' }],
      ['stream_options', { stream_options: { include_obfuscation: false } }],
      ['include', { include: ['web_search_call.action.sources'], tools: [{ type: 'web_search' }] }],
    ];
    for (const [fields, options] of ignored) {
      const request = { model: 'service-1.6', input: 'count', ...options };
      const { response } = await client.responses.create(request).withResponse();
      expect([options, response.headers.get('errand-ignored')]).toEqual([options, fields]);
      const strict = client.responses.create(request, { headers: { prefer: 'handling=strict' } });
      await expect(strict).rejects.toMatchObject({ status: 400, message: someText(new RegExp(fields.split(',', 1)[0] ?? '')) });
    }
    for (const [field, options] of refused) {
      const message = expect.stringMatching(`^400 .*${field.replaceAll(/[[\].]/g, String.raw`\$&`)}: .*here; [a-z]`) as string;
      await expect(create(options), field).rejects.toMatchObject({ status: 400, message });
    }
    const streamed = client.responses.create({ model: 'service-1.6', input: 'x', stream: true });
    await expect(streamed).rejects.toMatchObject({ status: 400, message: expect.stringContaining('stream: ') as string });
    const { data } = (await api.call('task.list')).body;
    expect(data).toHaveLength(honoured.length + ignored.length);
  });

  it('attaches metadata to the task, and answers with it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const client = openaiClient(api);
    const metadata = { order: 'a 1', task_title: 'mine' };
    const made = await client.responses.create({ model: 'm', input: 'count', metadata });
    expect(made.metadata).toMatchObject({ order: 'a 1', task_title: 'count' });
    const [task] = (await api.call('task.list', { 'metadata.order': 'a 1' })).body.data as Record<string, unknown>[];
    expect([task?.id, task?.metadata]).toEqual([made.id, { order: 'a 1' }]);
    const again = { model: 'm', input: 'more', previous_response_id: made.id };
    expect((await client.responses.create({ ...again, metadata: { order: 'a 1' } })).metadata).toMatchObject({ order: 'a 1' });
    const ignoredOf = async (request: OpenAI.Responses.ResponseCreateParamsNonStreaming) =>
      (await client.responses.create(request).withResponse()).response.headers.get('errand-ignored');
    // What an earlier response said may be sent back.
    expect(await ignoredOf({ ...again, metadata: made.metadata })).toBeNull();
    expect(await ignoredOf({ ...again, metadata: { order: 'b' } })).toBe('metadata');
    expect(await ignoredOf({ model: 'm', input: 'x', metadata: { 'a b': 'c', trace: 't' } })).toBe('metadata');
    expect((await api.call('task.list', { 'metadata.trace': 't' })).body.data).toHaveLength(1);
    expect((await client.responses.retrieve(made.id)).metadata).toMatchObject({ order: 'a 1' });
  });
});
