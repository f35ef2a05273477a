import assert from 'node:assert/strict';
import { expectAll, expectSeen, fileOf } from '../graders.ts';
import { deliver, plainJob, type PlayedJob, use } from '../job.ts';

const people = (count: number) => `name\n${Array.from({ length: count }, (_, at) => `Ada-${at}-\n`).join('')}`;
const schema = { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] };

function rowsJob(name: string, count: number): PlayedJob {
  const file = `attachments/${name}.csv`;
  const input = { file, instruction: 'Greet each person.', schema, output: 'out.csv' };
  return plainJob({
    ...{ name, about: `each of ${count} rows is asked about once, and the table has all answers` },
    files: { [`${name}.csv`]: people(count) },
    task: `${name}-job: greet everybody.`,
    others: [
      {
        match: ({ hasTools }) => !hasTools,
        replies: [({ text }) => ({ text: JSON.stringify({ greeting: `Hello ${/Ada-\d+-/.exec(text)?.[0] ?? 'nobody'}` }) })],
        repeatsLast: true,
      },
    ],
    replies: [use('map_rows', input), deliver('out.csv'), { text: 'Greeted.' }],
    grade(outcome) {
      const lines = fileOf(outcome, 'out.csv').toString().trim().split(/\r?\n/);
      assert.equal(lines.length, count + 1);
      for (const [at, line] of lines.slice(1).entries()) assert.ok(line.includes(`Hello Ada-${at}-`), line);
      assert.equal(outcome.requests.filter(({ hasTools }) => !hasTools).length, count);
      assert.ok(
        !outcome.requests.at(-1)?.text.includes(`Hello Ada-${count - 1}-`) || count < 20,
        'the table was in the conversation',
      );
    },
  });
}

const part = (n: number) => ({
  tool: 'create_subtask',
  input: { title: `Part ${n}`, instructions: `part-of-subtasks ${n}: find the number.` },
});

export const manyHandsJobs: PlayedJob[] = [
  rowsJob('ten-rows', 10),
  { ...rowsJob('thousand-rows', 1000), isHeavy: true },
  plainJob({
    ...{ name: 'subtasks', about: 'ten parts are done side by side by other agents, whose files are not in the way of the user' },
    task: 'subtasks-job: find all numbers.',
    others: [
      {
        match: ({ lastUserText }) => lastUserText.includes('part-of-subtasks'),
        replies: [
          ({ text }) => {
            assert.match(text, /Your reader is another agent/);
            return use('write_file', { path: 'note.txt', content: 'a note' });
          },
          ({ lastUserText }) => ({ text: `The number is ${1000 + Number(/part-of-subtasks (\d+)/.exec(lastUserText)?.[1])}.` }),
        ],
      },
    ],
    replies: [{ calls: Array.from({ length: 10 }, (_, n) => part(n)) }, { text: 'All are found.' }],
    grade(outcome) {
      const last = outcome.requests.findLast(({ text }) => text.includes('subtasks-job'))?.text ?? '';
      expectAll(
        last,
        Array.from({ length: 10 }, (_, n) => `The number is ${1000 + n}.`),
      );
      assert.deepEqual([...outcome.files.keys()], []);
    },
  }),
  plainJob({
    ...{ name: 'plan', about: 'a plan is shown to the user and stays in the sight of the agent', wire: 'anthropic' },
    task: 'plan-job: do it in steps.',
    replies: [
      use('update_plan', { steps: [{ title: 'Water the heliotropes', status: 'doing' }] }),
      use('write_file', { path: 'a.txt', content: 'x' }),
      { text: 'Done.' },
    ],
    grade(outcome) {
      expectSeen(outcome, ['Water the heliotropes']);
      assert.ok(outcome.events.some((event) => JSON.stringify(event).includes('Water the heliotropes')));
    },
  }),
];
