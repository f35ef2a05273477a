import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { askLegacy } from '../support/http/legacy-call.ts';
import { someId, someText } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const someSeconds = someText(/^\d{10}$/);

describeStores('tasks of v1', (store) => {
  const post = (api: ApiUnderTest, body: Json) => askLegacy(api, '/v1/tasks', { method: 'POST', body });
  const put = (api: ApiUnderTest, taskId: string, body: Json) => askLegacy(api, `/v1/tasks/${taskId}`, { method: 'PUT', body });
  const get = async (api: ApiUnderTest, path: string) => (await askLegacy(api, path)).body as Json & { data: Json[] };

  async function create(api: ApiUnderTest, body: Json): Promise<string> {
    return String((await post(api, body)).body?.task_id);
  }

  it.each(['fileData', 'file_data'])('accept a file as %s', async (field) => {
    await using api = await ApiUnderTest.start(store.database);
    const attachment = { filename: 'note.bin', [field]: 'data:application/octet-stream;base64,SGk=' };
    const type = field === 'fileData' ? { mimeType: 'application/x-note' } : { mime_type: 'application/x-note' };
    const id = await create(api, { prompt: 'read it', attachments: [{ ...attachment, ...type }] });
    const { messages } = (await api.call('task.listMessages', { task_id: id })).body;
    expect(messages.find(({ type: kind }) => kind === 'user_message')).toMatchObject({
      user_message: { attachments: [{ filename: 'note.bin', content_type: 'application/x-note' }] },
    });
  });

  it.each([
    ['SGk=', 'base64'],
    ['data:text/plain;base64,SGk=', 'a data URL'],
  ])('accept a file whose data %s is %s', async (data) => {
    await using api = await ApiUnderTest.start(store.database);
    const attachments = [{ filename: 'note.bin', mime_type: 'application/x-note', data }];
    const id = await create(api, { prompt: 'read it', attachments });
    const { messages } = (await api.call('task.listMessages', { task_id: id })).body;
    expect(messages.find(({ type: kind }) => kind === 'user_message')).toMatchObject({
      user_message: { attachments: [{ filename: 'note.bin', content_type: 'application/x-note' }] },
    });
  });

  it('are created, polled to their end and continued by old clients', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const made = await post(api, {
      prompt: 'count to three',
      agentProfile: 'quality',
      taskMode: 'agent',
      attachments: [],
      mode: 'x',
    });
    expect([made.status, made.body]).toEqual([
      200,
      { task_id: someId, task_title: 'count to three', task_url: someText(/\/app\/\w{22}$/) },
    ]);
    const id = String(made.body?.task_id);
    expect(await get(api, `/v1/tasks/${id}`)).toMatchObject({ object: 'task', status: 'running', model: 'service-1.6-agent' });

    await (await WorkerHand.take(store.database, id)).finish('one two three');
    expect(await get(api, `/v1/tasks/${id}`)).toEqual({
      id,
      object: 'task',
      created_at: someSeconds,
      updated_at: someSeconds,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      model: 'service-1.6-agent',
      metadata: { task_title: 'count to three', task_url: made.body?.task_url },
      output: [
        {
          id: someId,
          type: 'message',
          status: 'completed',
          role: 'user',
          content: [{ type: 'output_text', text: 'count to three' }],
        },
        {
          id: someId,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'one two three' }],
        },
      ],
      credit_usage: 1,
    });

    const more = await post(api, { prompt: 'and four?', task_id: id });
    expect([more.status, more.body?.task_id]).toEqual([200, id]);
    const hand = await WorkerHand.take(store.database, id);
    await hand.ask('why?');
    const waiting = await get(api, `/v1/tasks/${id}`);
    expect([waiting.status, (waiting.output as Json[]).map(({ role }) => role)]).toEqual([
      'pending',
      ['user', 'assistant', 'user', 'assistant'],
    ]);
  });

  it('report what failed', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api, { prompt: 'fail' });
    const hand = await WorkerHand.take(store.database, id);
    await hand.log({ type: 'error', errorType: 'model_refused', text: 'The model said no.' }, { type: 'failed' });
    expect(await get(api, `/v1/tasks/${id}`)).toMatchObject({ status: 'failed', error: 'The model said no.' });
  });

  it('are shared, renamed and deleted', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const shared = await post(api, { prompt: 'x', createShareableLink: true, hideInTaskList: true, locale: 'de' });
    expect(shared.body?.share_url).toEqual(someText(/\/share\/\w{22}$/));
    const id = String(shared.body?.task_id);
    const changed = await put(api, id, { title: 'New', enableShared: false, enable_visible_in_task_list: true });
    expect(changed.body).toEqual({ task_id: id, task_title: 'New', task_url: shared.body?.task_url });
    await askLegacy(api, `/v1/tasks/${id}`, { method: 'DELETE' });
    const again = await create(api, { prompt: 'y' });
    const gone = await askLegacy(api, `/v1/tasks/${again}`, { method: 'DELETE' });
    expect(gone.body).toEqual({ id: again, object: 'task.deleted', deleted: true });
    const missing = await askLegacy(api, `/v1/tasks/${again}`);
    expect([missing.status, missing.body]).toEqual([404, { code: 5, message: 'task not found', details: [] }]);
  });

  it('accept the fields of v1 in both spellings', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const body = {
      prompt: 'x',
      agent_profile: 'speed',
      create_shareable_link: true,
      interactive_mode: true,
      hide_in_task_list: false,
    };
    const made = await post(api, body);
    expect(made.body?.share_url).toBeDefined();
    expect(await get(api, `/v1/tasks/${String(made.body?.task_id)}`)).toMatchObject({ model: 'service-1.6-lite-agent' });
  });

  it.each<[string, string]>([
    ['manus-1.6-max-agent', 'manus-1.6-max-agent'],
    ['service-1.6-lite-agent', 'service-1.6-lite-agent'],
    ['quality-agent', 'service-1.6-agent'],
  ])('work with the profile %s, as models are named in answers, in every version', async (profile, model) => {
    await using api = await ApiUnderTest.start(store.database);
    const current = profile === 'quality-agent' ? 'service-1.6-agent' : profile;
    const { task_id } = (await api.call('task.create', { message: { content: 'x' }, agent_profile: current })).body;
    const more = await api.call('task.sendMessage', { task_id, message: { content: 'y' }, agent_profile: current });
    expect(more.status).toBe(200);
    const id = await create(api, { prompt: 'x', agentProfile: profile });
    expect((await post(api, { prompt: 'y', agentProfile: profile, taskId: id })).status).toBe(200);
    const answer = await askLegacy(api, '/responses', { method: 'POST', body: { input: 'x', agent_profile: profile } });
    expect([answer.status, answer.body?.model]).toEqual([200, model]);
  });

  it('are listed by page, status, time, project and words', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const project = await askLegacy(api, '/v1/projects', { method: 'POST', body: { name: 'P', instruction: 'Be brief.' } });
    expect(project.body).toEqual({ id: someId, object: 'project', name: 'P', instruction: 'Be brief.', created_at: someSeconds });
    expect((await get(api, '/v1/projects?limit=1')).data).toEqual([project.body]);
    const ids = [
      await create(api, { prompt: 'Alpha "quoted" 100%' }),
      await create(api, { prompt: 'beta', projectId: project.body?.id }),
      await create(api, { prompt: 'gamma' }),
    ];
    await (await WorkerHand.take(store.database, ids[0] ?? '')).finish('done');
    const list = async (query: string) => (await get(api, `/v1/tasks${query}`)).data.map(({ id }) => ids.indexOf(String(id)));
    expect(await list('')).toEqual([2, 1, 0]);
    expect(await list('?order=asc')).toEqual([0, 1, 2]);
    expect(await list('?orderBy=updated_at')).toEqual([0, 2, 1]);
    expect(await list(`?order_by=updated_at&after=${ids[0]}`)).toEqual([2, 1]);
    expect(await list('?status=completed')).toEqual([0]);
    expect(await list('?status=completed&status=running')).toEqual([2, 1, 0]);
    expect(await list('?query=ALPHA')).toEqual([0]);
    expect(await list(`?query=${encodeURIComponent('"quoted" 100%')}`)).toEqual([0]);
    expect(await list('?query=1__%25')).toEqual([]);
    expect(await list(`?project_id=${String(project.body?.id)}`)).toEqual([1]);
    expect(await list('?createdAfter=4000000000')).toEqual([]);
    expect(await list('?createdBefore=1000000000')).toEqual([]);
    const first = await get(api, '/v1/tasks?limit=2');
    expect(first).toMatchObject({ object: 'list', first_id: ids[2], last_id: ids[1], has_more: true });
    const second = await get(api, `/v1/tasks?limit=2&after=${ids[1]}`);
    expect(second).toMatchObject({ first_id: ids[0], last_id: ids[0], has_more: false });
  });

  it('are listed with their conversations, and found by their ids', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const first = await create(api, { prompt: 'one' });
    await (await WorkerHand.take(store.database, first)).finish('uno');
    const second = await create(api, { prompt: 'two' });
    const hand = await WorkerHand.take(store.database, second);
    await hand.log({ type: 'error', errorType: 'model_refused', text: 'The model said no.' }, { type: 'failed' });
    const { data } = await get(api, '/v1/tasks');
    expect(data).toEqual([await get(api, `/v1/tasks/${second}`), await get(api, `/v1/tasks/${first}`)]);
    expect(data[1]?.output).toMatchObject([{ role: 'user' }, { role: 'assistant', content: [{ text: 'uno' }] }]);
    expect((await get(api, `/v1/tasks?query=${first}`)).data.map(({ id }) => id)).toEqual([first]);
  });

  it('are listed in shorter pages if their conversations are long, and none is omitted', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const ids: string[] = [];
    for (let count = 0; count < 45; count++) ids.unshift(await create(api, { prompt: `${count} ${'x'.repeat(190_000)}` }));
    const listed: Json[] = [];
    for (let page: (Json & { data: Json[] }) | null = null; page === null || page.has_more === true; ) {
      const after = page === null ? '' : `?after=${String(page.last_id)}`;
      page = await get(api, `/v1/tasks${after}`);
      expect(JSON.stringify(page).length).toBeLessThan(1_500_000);
      listed.push(...page.data);
    }
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect(listed.every(({ output }) => (output as Json[]).length === 1)).toBe(true);
  });

  it('have the end of their conversations, however much was said before', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api, { prompt: `0 ${'x'.repeat(190_000)}` });
    for (let turn = 1; turn < 12; turn++) {
      await api.call('task.sendMessage', { task_id: id, message: { content: `${turn} ${'x'.repeat(190_000)}` } });
    }
    const turnsOf = (task: Json | undefined) =>
      ((task?.output ?? []) as { content: { text: string }[] }[]).map(({ content }) => Number(content[0]?.text.split(' ')[0]));
    expect(turnsOf(await get(api, `/v1/tasks/${id}`))).toEqual([6, 7, 8, 9, 10, 11]);
    expect(turnsOf((await askLegacy(api, `/v1/responses/${id}`)).body as Json)).toEqual([6, 7, 8, 9, 10, 11]);
    expect(turnsOf((await get(api, '/v1/tasks')).data[0])).toEqual([11]);
  });

  it('show nothing of another account', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api, { prompt: 'mine' });
    const stranger = { API_KEY: (await addOwner(store.database)).key, 'content-type': 'application/json' };
    const list = await askLegacy(api, '/v1/tasks', { headers: stranger });
    expect(list.body).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });
    const answers = [
      await askLegacy(api, `/v1/tasks/${id}`, { headers: stranger }),
      await askLegacy(api, `/v1/tasks/${id}`, { headers: stranger, method: 'DELETE' }),
      await askLegacy(api, `/responses/${id}`, { headers: stranger }),
      await askLegacy(api, '/v1/tasks', { headers: stranger, method: 'POST', body: { prompt: 'x', taskId: id } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it.each<[string, string, Json, string]>([
    ['POST', '/v1/tasks', {}, 'prompt is required'],
    ['POST', '/v1/tasks', { prompt: ' ' }, 'prompt is required'],
    ['POST', '/v1/tasks', { prompt: 'x', agentProfile: 'best' }, 'agentProfile: must be one of'],
    ['POST', '/v1/tasks', { prompt: 'x', attachments: [{ filename: 'a' }] }, 'attachments[0]: must have one of'],
    [
      'POST',
      '/v1/tasks',
      { prompt: 'x', attachments: [{ filename: 'a', data: '%' }] },
      'attachments[0].data: must be Base64 or a data URI',
    ],
    ['POST', '/v1/tasks', { prompt: 'x', attachments: [{ data: 'SGk=' }] }, 'attachments[0].filename is required'],
    ['POST', '/v1/tasks', { prompt: 'x'.repeat(200_001) }, 'prompt: must have at most 200000 characters'],
    ['POST', '/v1/tasks', { prompt: 'x', locale: '-' }, 'locale: '],
    ['PUT', `/v1/tasks/${'0'.repeat(22)}`, { title: 'x'.repeat(201) }, 'title: must have at most 200 characters'],
    ['POST', '/v1/webhooks', { webhook: { url: 'a b' } }, 'webhook.url: must not contain spaces'],
    ['POST', '/v1/tasks', { prompt: 'x', hideInTaskList: 'yes' }, 'hideInTaskList: must be true or false'],
    ['GET', '/v1/tasks?limit=0', {}, 'limit: must be an integer between 1 and 1000'],
    ['GET', '/v1/tasks?status=done', {}, 'status[0]: must be one of'],
    ['GET', '/v1/tasks?after=x', {}, 'after: must be the id of a task'],
    ['POST', '/v1/files', { filename: 'x.exe' }, 'filename: files of type .exe'],
    ['POST', '/v1/tasks', { prompt: 'x', hide_in_task_list: 'yes' }, 'hide_in_task_list: must be true or false'],
    ['POST', '/v1/tasks', { prompt: 'x', agent_profile: 'best' }, 'agent_profile: must be one of'],
    ['POST', '/responses', { input: 'x', previous_response_id: 7 }, 'previous_response_id: must be a string'],
    ['POST', '/responses', { input: [] }, 'input is required'],
    ['POST', '/responses', { input: 'x', stream: true }, 'stream: must be false here; ask for the response'],
    ['POST', '/responses', { input: 'x', task_id: 'a', previous_response_id: 'b' }, 'task_id: cannot be combined'],
  ])('refuse %s %s %j in the shape of v1, naming the field', async (method, path, body, words) => {
    await using api = await ApiUnderTest.start(store.database);
    const refused = await askLegacy(api, path, { method, ...(method !== 'GET' && { body }) });
    expect([refused.status, refused.body]).toEqual([
      400,
      { code: 3, message: expect.stringContaining(words) as string, details: [] },
    ]);
  });

  describe('files of v1', () => {
    it('are announced, uploaded, listed and deleted', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const made = await askLegacy(api, '/v1/files', { method: 'POST', body: { filename: 'a.txt' } });
      expect(made.body).toEqual({
        id: someText(/^file-\w{22}$/),
        object: 'file',
        filename: 'a.txt',
        status: 'pending',
        upload_url: someText(/^http/),
        upload_expires_at: someSeconds,
        created_at: someSeconds,
      });
      const id = String(made.body?.id);
      expect(await get(api, `/v1/files/${id}`)).not.toHaveProperty('bytes');
      expect((await fetch(String(made.body?.upload_url), { method: 'PUT', body: 'hello' })).status).toBe(200);
      const file = await get(api, `/v1/files/${id}`);
      expect(file).toMatchObject({ id, object: 'file', status: 'uploaded', bytes: 5, expires_at: someSeconds });
      expect((await get(api, '/v1/files')).data).toEqual([file]);
      expect((await get(api, '/files')).data).toEqual([file]);
      const gone = await askLegacy(api, `/v1/files/${id}`, { method: 'DELETE' });
      expect(gone.body).toEqual({ id, object: 'file', deleted: true });
      const missing = await askLegacy(api, `/v1/files/${id}`);
      expect([missing.status, missing.body]).toEqual([
        404,
        { code: 5, message: 'file not found or has been deleted', details: [] },
      ]);
    });
  });

  it('are not found by invalid ids', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await create(api, { prompt: 'ab' });
    for (const query of ['query=a%00b', 'project_id=%00', 'project_id=nowhere'])
      expect([query, (await askLegacy(api, `/v1/tasks?${query}`)).body]).toMatchObject([query, { data: [], has_more: false }]);
    for (const id of ['%00', 'x'.repeat(101)])
      expect((await askLegacy(api, `/responses/${id}`)).body).toMatchObject({ code: 5, details: [] });
    const { status, body } = await askLegacy(api, `/v1/tasks?query=${'x'.repeat(20_000)}`);
    expect([status, body]).toEqual([431, { code: 3, message: 'The request headers are too large.', details: [] }]);
    const webhook = { url: 'https://example.com/', oauth_client_id: 'a\u0000b' };
    expect((await api.call('webhook.create', webhook)).body.error).toMatchObject({ code: 'not_found' });
  });
});
