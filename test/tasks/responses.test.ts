import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { askLegacy } from '../support/http/legacy-call.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false };
const format = { type: 'json_schema', name: 'answer', strict: true, schema };

describeStores('a response', (store) => {
  const ask = (api: ApiUnderTest, body: Json) => askLegacy(api, '/v1/responses', { method: 'POST', body });
  const instructionsOf = async (taskId: unknown) => {
    const rows = await store.query(
      `SELECT body FROM events WHERE task_id = ? AND type = 'equipped' ORDER BY seq`,
      String(taskId),
    );
    return rows.map(({ body }) => (JSON.parse(String(body)) as Json).instructions);
  };

  it('follows instructions and system items, which are no part of the conversation', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const input = [
      { role: 'system', content: 'Answer in French.' },
      { role: 'developer', content: [{ type: 'input_text', text: 'Use no lists.' }] },
      { role: 'user', content: 'hello' },
    ];
    const made = (await ask(api, { input, instructions: 'Be brief.' })).body;
    expect(await instructionsOf(made?.id)).toEqual(['Be brief.\n\nAnswer in French.\n\nUse no lists.']);
    expect(made?.output).toMatchObject([{ role: 'user', content: [{ text: 'hello' }] }]);
    expect(made?.metadata).toMatchObject({ task_title: 'hello' });
    await ask(api, { input: 'and now?', previous_response_id: made?.id, instructions: 'Be long.' });
    expect((await instructionsOf(made?.id)).at(-1)).toBe('Be long.');
    const { body } = await api.call('task.create', { message: { content: 'x', instructions: 'Be kind.' } });
    expect(await instructionsOf(body.task_id)).toEqual(['Be kind.']);
  });

  it('ends with the JSON that text.format asks for', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const made = (await ask(api, { input: 'x', text: { format } })).body;
    const hand = await WorkerHand.take(store.database, String(made?.id));
    await hand.log({ type: 'stopped', by: 'agent' }, { type: 'extract_delivered', success: true, value: { a: 1 }, error: null });
    const { body } = await askLegacy(api, `/responses/${String(made?.id)}`);
    expect((body as { output: Json[] }).output.at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ type: 'output_text', text: '{"a":1}' }],
    });
  });

  it('is an error where the result does not conform to the schema, until a later one does', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const made = (await ask(api, { input: 'x', text: { format } })).body;
    expect(made).toMatchObject({ status: 'running', error: null });
    const hand = await WorkerHand.take(store.database, String(made?.id));
    const error = 'Extracted value does not conform to the provided schema';
    await hand.log({ type: 'stopped', by: 'agent' }, { type: 'extract_delivered', success: false, value: { a: 0 }, error });
    const look = async () => (await askLegacy(api, `/responses/${String(made?.id)}`)).body;
    expect(await look()).toMatchObject({ status: 'error', error: { code: 'server_error', message: error } });
    await ask(api, { input: 'again', previous_response_id: made?.id });
    expect(await look()).toMatchObject({ status: 'running', error: null });
  });

  it.each<[Json]>([
    [{ text: { format: { type: 'text' } } }],
    [{ tools: [] }],
    [{ agent_profile: 'manus-1.6-lite-agent' }],
    [{ model: 'service-1.6-max-agent' }],
    [{ tools: [{ type: 'web_search' }, { type: 'code_interpreter', container: { type: 'auto' } }] }],
    [{ max_output_tokens: null, text: null, tools: null, instructions: null, metadata: { a: 'b' }, temperature: 1 }],
  ])('is made with %j, which asks for nothing that an agent does not do', async (more) => {
    await using api = await ApiUnderTest.start(store.database);
    expect((await ask(api, { input: 'x', ...more })).status).toBe(200);
  });

  it.each<[Json, string]>([
    [{ text: { format: { type: 'json_object' } } }, 'text.format.type: must be "text" or "json_schema"'],
    [{ text: { format: { ...format, schema: { type: 'array' } } } }, 'text.format.schema: '],
    [{ tools: [{ type: 'function', name: 'f' }] }, 'tools[0].type: "function" is not available here'],
    [{ max_output_tokens: 10 }, 'max_output_tokens: is not available here'],
    [{ instructions: 'x'.repeat(20_001) }, 'instructions: must have at most 20000 characters'],
    [{ input: [{ role: 'system', content: 'only this' }] }, 'input: must not be empty'],
    [
      {
        input: [
          { role: 'system', content: 'a' },
          { role: 'user', content: [{ type: 'input_file', file_data: 'x', filename: 'a' }] },
        ],
      },
      'input[1].content[0].file_data: must be a data URI',
    ],
    [{ agent_profile: 'best' }, 'agent_profile: must be one of'],
  ])('is refused where an option has no effect or is not valid (%#), naming the field', async (more, words) => {
    await using api = await ApiUnderTest.start(store.database);
    const { status, body } = await ask(api, { input: 'x', ...more });
    expect([status, body]).toEqual([400, { code: 3, message: expect.stringContaining(words) as string, details: [] }]);
  });
});
