import assert from 'node:assert/strict';
import { statusIn } from '../../../test/support/service/service-client.ts';
import { expectAll, expectSeen, fileOf } from '../graders.ts';
import { deliver, plainJob, type PlayedJob, saying, use } from '../job.ts';

const invoice = 'Invoice 4711 of Heliotrope Ltd. Total 250.00 EUR, to be paid until 2026-04-30 to DE02120300000000202051.';
const schema = {
  type: 'object',
  properties: { invoice_number: { type: 'string' }, due_date: { type: 'string' }, iban: { type: 'string' } },
  required: ['invoice_number', 'due_date', 'iban'],
  additionalProperties: false,
};
const wanted = { invoice_number: '4711', due_date: '2026-04-30', iban: 'DE02120300000000202051' };

const played = { kind: 'played', wire: 'compatible', needs: [], isHeavy: false } as const;

const memory: PlayedJob = {
  ...{ ...played, name: 'memory', about: 'what one task writes down, the next one knows' },
  async play(stage) {
    const path = '/memory/account/people.md';
    stage.script([
      {
        match: saying('memory-job one'),
        replies: [use('write_file', { path, content: 'Ada prefers heliotropes.' }), { text: 'Kept.' }],
      },
      { match: saying('memory-job two'), replies: [use('read_file', { path }), { text: 'Known.' }] },
    ]);
    await stage.work('memory-job one: remember what Ada likes.');
    const outcome = await stage.work('memory-job two: what does Ada like?');
    expectSeen(outcome, ['Ada prefers heliotropes.']);
  },
};

const followUp: PlayedJob = {
  ...{ ...played, name: 'follow-up', about: 'a second message changes the result of the first' },
  async play(stage) {
    stage.script([
      {
        match: saying('follow-up-job'),
        replies: [use('write_file', { path: 'a.txt', content: 'red' }), deliver('a.txt'), { text: 'Red.' }],
      },
      {
        match: saying('Now blue'),
        replies: [
          use('edit_file', { path: 'a.txt', old_string: 'red', new_string: 'blue' }),
          deliver('a.txt'),
          { text: 'Blue.' },
        ],
      },
    ]);
    const { taskId } = await stage.work('follow-up-job: write red.');
    assert.equal(fileOf(await stage.goOn(taskId, 'Now blue, please.'), 'a.txt').toString(), 'blue');
  },
};

const question: PlayedJob = {
  ...{ ...played, name: 'question', about: 'a question waits for its answer, which the agent then has' },
  async play(stage) {
    stage.script([
      {
        match: ({ text }) => text.includes('question-job'),
        order: 'call',
        replies: [use('ask_user', { question: 'Which flower?' }), { text: 'Understood.' }],
      },
    ]);
    const message = { content: 'question-job: order one.' };
    const { task_id: id } = await stage.client.ask('task.create', { message, interactive_mode: true });
    await stage.client.follow(String(id), (event) => statusIn(event) === 'waiting');
    expectSeen(await stage.goOn(String(id), 'The heliotrope.'), ['Which flower?', 'The heliotrope.']);
  },
};

const schemaJob: PlayedJob = {
  ...{ ...played, name: 'schema', about: 'fields that nobody mentions are known from the first step, and filled' },
  async play(stage) {
    stage.script([
      { match: ({ hasTools }) => !hasTools, replies: [{ text: JSON.stringify(wanted) }], repeatsLast: true },
      {
        match: saying('schema-job'),
        replies: [
          (seen) => {
            expectAll(seen.text, ['invoice_number', 'due_date', 'iban']);
            return use('read_file', { path: 'attachments/invoice.txt' });
          },
          { text: 'Invoice 4711 is due on 2026-04-30, to DE02120300000000202051.' },
        ],
      },
    ]);
    const { taskId } = await stage.work('schema-job: read the invoice.', {
      files: { 'invoice.txt': invoice },
      more: { structured_output_schema: schema },
    });
    const events = await stage.client.follow(taskId, ({ type }) => type === 'structured_output_result');
    assert.deepEqual((events.at(-1)?.['structured_output_result'] as { value?: unknown } | undefined)?.value, wanted);
  },
};

export const conversationJobs = [
  memory,
  followUp,
  question,
  schemaJob,
  plainJob({
    ...{ name: 'cut-answer', about: 'an answer that is cut is continued', wire: 'anthropic' },
    task: 'cut-answer-job: tell the story.',
    others: [
      {
        match: ({ text }) => text.includes('cut-answer-job'),
        order: 'call',
        replies: [{ text: 'Once upon ', finish: 'length' }, { text: 'a time it ended.' }],
      },
    ],
    replies: [],
    grade: ({ answer }) => assert.equal(answer, 'Once upon a time it ended.'),
  }),
  plainJob({
    ...{ name: 'cut-call', about: 'a tool call that is cut is not run, and written in parts' },
    task: 'cut-call-job: write the file.',
    others: [
      {
        match: ({ text }) => text.includes('cut-call-job'),
        order: 'call',
        replies: [
          { calls: [{ tool: 'write_file', input: '{"path": "half.txt", "content": "hal' }], finish: 'length' },
          (seen) => {
            assert.match(seen.text, /cut/);
            return use('read_file', { path: 'half.txt' });
          },
          (seen) => {
            assert.match(seen.text, /does not exist/);
            return use('write_file', { path: 'half.txt', content: 'whole' });
          },
          deliver('half.txt'),
          { text: 'Written.' },
        ],
      },
    ],
    replies: [],
    grade: (outcome) => assert.equal(fileOf(outcome, 'half.txt').toString(), 'whole'),
  }),
  plainJob({
    ...{ name: 'overload', about: 'a model that fails twice is asked again', wire: 'google' },
    task: 'overload-job: say hello.',
    others: [
      {
        match: ({ text }) => text.includes('overload-job'),
        order: 'call',
        replies: [{ status: 503 }, { status: 429, headers: { 'retry-after': '1' } }, { text: 'Hello.' }],
      },
    ],
    replies: [],
    grade: ({ answer }) => assert.equal(answer, 'Hello.'),
  }),
  plainJob({
    ...{ name: 'side-by-side', about: 'the results of three calls of one reply come back in their order', wire: 'openai' },
    files: { 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' },
    task: 'side-by-side-job: read all three.',
    replies: [
      { calls: ['a', 'b', 'c'].map((name) => ({ tool: 'read_file', input: { path: `attachments/${name}.txt` } })) },
      { text: 'Read.' },
    ],
    grade: ({ requests }) => assert.match(requests.at(-1)?.text ?? '', /first[^]*second[^]*third/),
  }),
];
