import { takeErrorPage } from '../support/http/error-page.ts';
import { expect, it } from 'vitest';
import { invalidArgument } from '../support/http/matchers.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

const text = 'x';
const message = { content: text };
const half = '\ud83d';
const nul = String.fromCharCode(0);

/** Bodies of task.create and the words with which they are refused. */
const refused: [unknown, string][] = [
  [{}, 'message is required'],
  [{ message: null }, 'message: must be an object'],
  [{ message: 'hello' }, 'message: must be an object'],
  [{ message: [] }, 'message: must be an object'],
  [{ message: {} }, 'message.content is required'],
  [{ message: { content: null } }, 'message.content: must be a string or an array of parts'],
  [{ message: { content: 5 } }, 'message.content: must be a string or an array of parts'],
  [{ message: { content: {} } }, 'message.content: must be a string or an array of parts'],
  [{ message: { content: '' } }, 'message.content: must not be empty'],
  [{ message: { content: ' \n\t' } }, 'message.content: must not be empty'],
  [{ message: { content: [] } }, 'message.content: must not be empty'],
  [{ message: { content: ['x'] } }, 'message.content[0]: must be an object'],
  [{ message: { content: [{ text }, { text: 1 }] } }, 'message.content[1].text: must be a string'],
  [{ message: { content: [{}] } }, 'message.content[0].text is required'],
  [{ message: { content: [{ type: 'text' }] } }, 'message.content[0].text is required'],
  [{ message: { content: [{ type: 'image', text }] } }, 'message.content[0].type: must be one of "text", "file", "voice"'],
  [
    { message: { content: [{ type: 'file', file_id: 'f', file_url: 'u' }] } },
    'message.content[0]: must have only one of file_id, file_url and file_data',
  ],
  [
    { message: { content: [{ text }, { type: 'voice' }] } },
    'message.content[1]: must have one of file_id, file_url and file_data',
  ],
  [{ message: { content: [{ file_url: 'https://x' }] } }, 'message.content[0].file_url: must lead to a public address'],
  [{ message: { content: 'x'.repeat(200_001) } }, 'message.content: must have at most 200000 characters of text'],
  [
    { message: { content: [{ text: 'x'.repeat(150_000) }, { text: 'x'.repeat(50_000) }] } },
    'message.content: must have at most 200000 characters of text',
  ],
  [{ message: { content: text, connectors: ['gmail'] } }, 'message.connectors: connector not installed'],
  [{ message: { content: text, connectors: 'gmail' } }, 'message.connectors: must be an array'],
  [{ message: { content: text, connectors: [1] } }, 'message.connectors[0]: must be a string'],
  [{ message: { content: text, enable_skills: ['a'] } }, 'message.enable_skills: skill not found'],
  [{ message: { content: text, force_skills: ['a'] } }, 'message.force_skills: skill not found'],
  [
    { message: { content: text, task_references: Array.from({ length: 21 }, () => 'A'.repeat(22)) } },
    'message.task_references: must have at most 20 items',
  ],
  [
    { message: { content: text, task_references: ['A'.repeat(22), 'agent-default-main_task'] } },
    'message.task_references[1]: must be a task id of 22 letters and digits',
  ],
  [{ message, title: 5 }, 'title: must be a string'],
  [{ message, title: 'x'.repeat(201) }, 'title: must have at most 200 characters'],
  [{ message, title: '👍'.repeat(201) }, 'title: must have at most 200 characters'],
  [{ message, locale: 'xx-YY' }, 'locale: must be a language tag such as "en", "zh-CN" or "ja"'],
  [{ message, locale: 'not a locale' }, 'locale: must be a language tag such as "en", "zh-CN" or "ja"'],
  [{ message, locale: 'en'.repeat(100_000) }, 'locale: must be a language tag such as "en", "zh-CN" or "ja"'],
  [{ message, interactive_mode: 'true' }, 'interactive_mode: must be true or false'],
  [{ message, hide_in_task_list: 1 }, 'hide_in_task_list: must be true or false'],
  [{ message, share_visibility: 'secret' }, 'share_visibility: must be one of "private", "team", "public"'],
  [{ message, share_visibility: 'constructor' }, 'share_visibility: must be one of "private", "team", "public"'],
  [{ message, agent_profile: 'gpt-9' }, 'agent_profile: must be one of "service-1.6", "service-1.6-lite", "service-1.6-max"'],
  [{ message, agent_profile: 'other-1.6' }, 'agent_profile: must be one of "service-1.6", "service-1.6-lite", "service-1.6-max"'],
  [{ message, structured_output_schema: 'x' }, 'structured_output_schema: not a valid JSON Schema'],
  [{ message, structured_output_schema: [] }, 'structured_output_schema: not a valid JSON Schema'],
  ['{"message":', 'body: must be valid JSON'],
  ['', 'body: must be valid JSON'],
  ['null', 'body: must be an object'],
  ['[]', 'body: must be an object'],
  ['"x"', 'body: must be an object'],
  ['1e400', 'body: must be an object'],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'body: must not nest deeper than 64 levels'],
  [`{"a":${'{"a":'.repeat(70)}1${'}'.repeat(71)}`, 'body: must not nest deeper than 64 levels'],
];

/** Bodies that look strange and are fine: what they say beside the message is ignored or cleaned. */
const accepted: [unknown, string][] = [
  [{ message, session_id: 's', events: ['a'], metadata: { a: 1 }, mode: null }, 'x'],
  [{ message: { content: text, attachments: [], role: 'user' } }, 'x'],
  [
    {
      message: {
        content: [
          { text: 'a', type: null },
          { type: 'text', text: 'b', extra: 1 },
        ],
      },
    },
    'a',
  ],
  [{ message: { content: 'x'.repeat(200_000) }, title: 'long' }, 'long'],
  [{ message: { content: '家'.repeat(200_000) }, title: '家'.repeat(200) }, '家'.repeat(200)],
  [{ message: { content: '👍'.repeat(200_000) }, title: '👍'.repeat(200) }, '👍'.repeat(200)],
  [{ message, project_id: '', locale: '', title: '', agent_profile: '' }, 'x'],
  [
    { message, project_id: null, locale: null, title: null, agent_profile: null, share_visibility: null, interactive_mode: null },
    'x',
  ],
  [{ message: { content: text, connectors: [], enable_skills: null, force_skills: [], task_references: [] } }, 'x'],
  [{ message: { content: text, task_references: ['A'.repeat(22)] } }, 'x'],
  [{ message: { content: `a${nul}b${half}c` } }, 'a b\ufffdc'],
  [{ message, title: `${nul}a${half}\u001b[31m\u2028b${nul}` }, 'a\ufffd [31m b'],
  [{ message, title: `${nul} \n` }, 'x'],
  ['{"message":{"content":"x"},"message":{"content":"y"}}', 'y'],
  ['{"__proto__":{"title":"polluted"},"message":{"content":"x","__proto__":{"connectors":["a"]}}}', 'x'],
  ['{"constructor":{"prototype":{"title":"polluted"}},"message":{"content":"x"}}', 'x'],
  ['{"message":{"content":"x"},"n":1e400,"m":123456789012345678901234567890}', 'x'],
];

describeStores('bodies from outside', (store) => {
  async function create(api: ApiUnderTest, body: unknown) {
    const init = {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    const response = await api.fetch('/v2/task.create', init);
    return { status: response.status, body: takeErrorPage((await response.json()) as Json) };
  }

  it('are rejected with 400 and one sentence that names the field', async () => {
    await using api = await ApiUnderTest.start(store.database);
    for (const [body, words] of refused) {
      const answer = await create(api, body);
      const shown = JSON.stringify(body).slice(0, 100);
      expect([shown, answer.status, answer.body.error]).toEqual([shown, 400, invalidArgument(words)]);
    }
    expect((await api.call('task.list')).body.data).toEqual([]);
  });

  it('are accepted with unknown fields, nulls, odd characters and keys of prototypes', async () => {
    await using api = await ApiUnderTest.start(store.database);
    for (const [body, title] of accepted) {
      const shown = JSON.stringify(body).slice(0, 100);
      const { status, body: answer } = await create(api, body);
      expect([shown, status, answer.task_title]).toEqual([shown, 200, title]);
      const detail = await api.call('task.detail', { task_id: answer.task_id });
      expect(detail.body.task.title).toBe(title);
      expect((await api.call('task.listMessages', { task_id: answer.task_id })).status).toBe(200);
    }
    expect(({} as Json).title).toBeUndefined();
  });

  it('name a project that does not exist: 404', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { status, body } = await create(api, { message, project_id: 'A'.repeat(22) });
    expect([status, body.error]).toEqual([404, { code: 'not_found', message: 'project not found' }]);
  });

  it('are validated in every operation', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const task_id = await api.createTask();
    const cases: [string, Json, string][] = [
      ['task.stop', {}, 'task_id is required'],
      ['task.stop', { task_id: 5 }, 'task_id: must be a string'],
      ['task.stop', { task_id: '' }, 'task_id is required'],
      ['task.delete', { task_id: ['a'] }, 'task_id: must be a string'],
      ['task.update', { task_id, title: '' }, 'title: must not be empty'],
      ['task.update', { task_id, title: nul }, 'title: must not be empty'],
      ['task.update', { task_id, title: 'x'.repeat(201) }, 'title: must have at most 200 characters'],
      ['task.update', { task_id, share_visibility: '' }, 'share_visibility: must be one of "private", "team", "public"'],
      ['task.update', { task_id, enable_visible_in_task_list: 'no' }, 'enable_visible_in_task_list: must be true or false'],
      ['task.sendMessage', { task_id }, 'message is required'],
      ['task.sendMessage', { message }, 'task_id is required'],
      [
        'task.sendMessage',
        { task_id, message: { content: text, connectors: ['a'] }, clear_connectors: true },
        'clear_connectors: cannot be combined with message.connectors',
      ],
      [
        'task.sendMessage',
        { task_id, message: { content: text, connectors: ['a'] } },
        'message.connectors: connector not installed',
      ],
      [
        'task.sendMessage',
        { task_id, message, agent_profile: 'x' },
        'agent_profile: must be one of "service-1.6", "service-1.6-lite", "service-1.6-max"',
      ],
    ];
    for (const [name, input, words] of cases) {
      const { status, body } = await api.call(name, input);
      expect([name, input, status, body.error]).toEqual([name, input, 400, invalidArgument(words)]);
    }
    expect((await api.call('task.sendMessage', { task_id, message, clear_connectors: true })).status).toBe(200);
  });
});
