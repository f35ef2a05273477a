import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';
import { anyCharacter } from '../support/base/any-character.ts';

/** The published schema of each answer, as a client would use it. */
async function loadSchemas(api: ApiUnderTest): Promise<(name: string) => ValidateFunction> {
  const response = await api.fetch('/openapi.json', {}, { key: null });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const { components } = (await response.json()) as { components: unknown };
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'https://errand.test/openapi', components });
  return (name) => {
    const validate = ajv.getSchema(`https://errand.test/openapi#/components/schemas/${name}`);
    if (!validate) throw new Error(`the document has no schema ${name}`);
    return validate;
  };
}

const oddText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud83d',
    '\u202e',
    'agent-default-main_task',
    '1e400',
    '__proto__',
    'x'.repeat(20_000),
    '🙂'.repeat(300),
  ),
);
const oddValue = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(0, -1, 1e308, 2 ** 60, true, null, [], {}, [[]], [null]),
);

/** Mostly what counts as not given. */
const seldom = fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: oddText });

/** Objects with the fields of all operations, each with a likely or a wild value. */
function inputs(taskId: string): fc.Arbitrary<Json> {
  const likely = {
    task_id: fc.constant(taskId),
    title: oddText,
    limit: fc.constantFrom('1', '5', '0', '1000'),
    cursor: seldom,
    order: fc.constantFrom('asc', 'desc', 'up'),
    scope: fc.constantFrom('all', 'standard', 'project', 'agent_subtask'),
    verbose: fc.constantFrom('true', 'false', '1'),
    start_event_id: seldom,
    api_key_id: oddText,
    project_id: oddText,
    agent_id: oddText,
    locale: fc.constantFrom('en', 'zh-CN', 'xx', ''),
    agent_profile: fc.constantFrom('service-1.6', 'manus-1.6-max', '', 'other'),
    share_visibility: fc.constantFrom('private', 'team', 'public', 'secret'),
    enable_visible_in_task_list: fc.boolean(),
    clear_connectors: fc.boolean(),
    structured_output_schema: oddValue,
    message: fc.record({ content: oddText }, { noNullPrototype: true }),
  };
  const fields = Object.entries(likely).map(([name, value]): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.oneof({ weight: 4, arbitrary: value as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: oddValue }),
  ]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Json>;
}

describeStores('the published schemas', (store) => {
  it('describe the responses of every operation to any request', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const schemas = await loadSchemas(api);
    const taskId = await api.createTask();
    await (await WorkerHand.take(store.database, taskId)).step(1);
    const check = async (name: string, input: Json) => {
      const { status, body } = await api.call(name, input);
      expect([name, [200, 400, 404, 431].includes(status)]).toEqual([name, true]);
      const validate = schemas(status === 200 ? `${name}.response` : 'Error');
      expect([name, validate(body), validate.errors]).toEqual([name, true, null]);
      return status;
    };
    const askable = operations.flatMap(({ name, kind }) =>
      kind === 'reply' && /^task\.(?!delete|clear)/.test(name) ? [name] : [],
    );
    const { messages } = (await api.call('task.listMessages', { task_id: taskId })).body;
    const answer = messages.find(({ type }) => type === 'assistant_message');
    const rated = { event_id: answer?.id, rating: 'up' };
    const { comment } = (await api.call('task.comment', { task_id: taskId, text: 'x' })).body as unknown as { comment: Json };
    const people = { comment_id: comment['id'], text: 'y', account_id: null };
    const input = { task_id: taskId, message: { content: 'x' }, expires_in: 60, can: ['read'], ...rated, ...people };
    for (const name of askable.filter((each) => each !== 'task.confirmAction'))
      expect([name, await check(name, input)]).toEqual([name, 200]);
    const wild = fc.asyncProperty(fc.constantFrom(...askable), inputs(taskId), async (name, odd) => {
      await check(name, odd);
    });
    await fc.assert(wild, { numRuns: 500 });
    expect(await check('task.delete', { task_id: taskId })).toBe(200);
  });

  it('describe every kind of event', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const schemas = await loadSchemas(api);
    const taskId = await api.createTask('x', {
      structured_output_schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    });
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.step(1);
    await hand.log({ type: 'plan_step_added', stepId: 's', title: 't' });
    await hand.log(
      { type: 'assistant_message', text: 'done' },
      { type: 'stopped', by: 'agent' },
      { type: 'extract_delivered', success: true, value: { any: ['thing', null] }, error: null },
    );
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'again' } });
    const again = await WorkerHand.take(store.database, taskId);
    await again.log({ type: 'error', errorType: 'model_refused', text: 'no' }, { type: 'failed' });
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'and again' } });
    await api.call('task.stop', { task_id: taskId });
    const { body } = await api.call('task.listMessages', { task_id: taskId, verbose: true, limit: 200 });
    const validate = schemas('TaskEvent');
    for (const event of body.messages) expect([event, validate(event), validate.errors]).toEqual([event, true, null]);
    expect(new Set(body.messages.map(({ type }) => type)).size).toBe(10);
    for (const event of body.messages) {
      const { id, type, timestamp, ...payload } = event;
      expect([typeof id, typeof timestamp, Object.keys(payload)]).toEqual(['string', 'number', [type]]);
    }
  });

  it('are answered in the envelope for damaged bodies', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const validate = (await loadSchemas(api))('Error');
    const whole = Buffer.from(
      JSON.stringify({ message: { content: [{ type: 'text', text: 'hällo' }] }, title: 'ö', locale: 'en' }),
    );
    const damage = fc.record({ at: fc.nat(whole.length - 1), length: fc.nat(9), bytes: fc.uint8Array({ maxLength: 9 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (places) => {
        let body = whole;
        for (const { at, length, bytes } of places)
          body = Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + length)]);
        const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
        const response = await api.fetch('/v2/task.create', init);
        const answer: unknown = await response.json();
        if (response.status === 200) return;
        expect([response.status, validate(answer)]).toEqual([400, true]);
      }),
      { numRuns: 500 },
    );
  });
});
