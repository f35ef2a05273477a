import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

const pieces = [
  '{"path": "report.html", "content": "<h1>Figures</h1>',
  '\\n<img src=x onerror=\\"document.title = 1\\">',
  '\\nThe first line.',
  '\\nThe last line."}',
];
const begin = { calls: [{ tool: 'ask_user', input: { question: 'Shall I begin?' } }] };
const chart = {
  path: 'chart.png',
  type: 'bar',
  title: 'Visitors',
  labels: ['May', 'June'],
  series: [{ name: 'Visitors', values: [3, 5] }],
};

let model: ModelServer;
let web: WebUnderTest;

beforeAll(async () => {
  model = await startModelServer();
  web = await WebUnderTest.start({
    ERRAND_MODEL: 'compatible/mock',
    ERRAND_MODEL_BASE_URL: model.openaiUrl,
    ERRAND_MODEL_SEES: 'true',
  });
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await model.stop();
});

/** A page of a task whose agent continues when `goOn` is called: whoever comes later misses what is streamed. */
async function openWaiting(text: string) {
  const taskId = await web.createTask(text, { interactive_mode: true });
  const page = await web.open(`/app/${taskId}`);
  await page.getByRole('log').getByText('Shall I begin?').waitFor();
  const bench = page.getByRole('complementary', { name: 'Workbench' });
  const goOn = () => web.call('task.sendMessage', { task_id: taskId, message: { content: `Yes. ${text}` } });
  return { taskId, page, bench, goOn };
}

it('a file is shown while the model writes it, as text whatever it is, with no character that has not come', async () => {
  await model.script([
    {
      match: 'Write a page',
      order: 'call',
      steps: [begin, { calls: [{ tool: 'write_file', input: {}, pieces }], frameDelayMs: 20, endAfterFrames: 4, end: 'stall' }],
    },
  ]);
  const { taskId, page, bench, goOn } = await openWaiting('Write a page');
  await goOn();
  const file = bench.getByRole('region', { name: 'File' });
  await file.getByText('report.html').waitFor();
  await file.getByText('Writing…').waitFor();
  await file.getByText('The first line.').waitFor();
  expect(await file.getByRole('group').innerText()).toBe(
    '<h1>Figures</h1>\n<img src=x onerror="document.title = 1">\nThe first line.',
  );
  await examine(page, 'growing-file');
  await web.call('task.stop', { task_id: taskId });
  await file.waitFor({ state: 'detached' });
  await page.close();
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});

it('a file that is written stays beside what follows, and a chart is shown as its picture', async () => {
  await model.script([
    {
      match: 'Draw a chart',
      order: 'call',
      steps: [
        begin,
        {
          calls: [
            { tool: 'write_file', input: {}, pieces },
            { tool: 'make_chart', input: chart },
          ],
        },
        { end: 'stall', endAfterFrames: 0 },
      ],
    },
  ]);
  const { taskId, page, bench, goOn } = await openWaiting('Draw a chart');
  await goOn();
  const file = bench.getByRole('region', { name: 'File' });
  await file.getByText('Written').waitFor();
  await file.getByText('The last line.').waitFor();
  const picture = bench.getByRole('region', { name: 'Picture' });
  const image = picture.getByRole('img', { name: 'chart.png' });
  await expect
    .poll(() => page.evaluate(`document.querySelector('img[alt="chart.png"]')?.naturalWidth ?? 0`))
    .toBeGreaterThan(300);
  await examine(page, 'made-picture');
  // It comes from the origin of content, whose files run nothing in the application.
  const href = (await picture.getByRole('link').getAttribute('href')) ?? '';
  expect(new URL(href).origin).not.toBe(new URL(web.base).origin);
  // Who comes later sees the chart, too.
  await page.reload();
  await image.waitFor();
  await web.call('task.stop', { task_id: taskId });
  await page.close();
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});

/** More than events have of a command, in several lines. */
const long = (first: string) => `${first}\n# ${'a comment that is long '.repeat(12)}\nsleep 600`;

it.each([
  ['has put something out', 'echo begun'],
  ['has put nothing out', 'true'],
])('who comes while a command runs that %s sees the whole command', async (_, first) => {
  const command = long(first);
  await model.script([{ match: first, order: 'call', steps: [{ calls: [{ tool: 'run_shell', input: { command } }] }] }]);
  const taskId = await web.createTask(`Run this: ${first}`);
  await expect
    .poll(async () => (await web.callWeb('task.modelCall', { task_id: taskId })).tool_call)
    .toMatchObject({ tool: 'run_shell', input: command });
  const page = await web.open(`/app/${taskId}`);
  const activity = page.getByRole('region', { name: 'Current activity' });
  await activity.getByText('Running command').waitFor();
  await expect.poll(() => activity.getByRole('group', { name: 'Input' }).innerText()).toBe(command);
  await examine(page, `running-command-${first}`);
  await web.call('task.stop', { task_id: taskId });
  await page.getByRole('region', { name: 'Last activity' }).waitFor();
  await page.close();
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});
