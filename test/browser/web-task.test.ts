import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import type { TaskEvent } from '../../src/rules/events/task-event.ts';
import { databaseFile } from '../../src/store/db/data-folder.ts';
import { openSqlite } from '../../src/store/sqlite-open.ts';
import { createTask } from '../../src/store/tasks/tasks.ts';
import { type ModelServer, type Step, startModelServer } from '../support/models/model-server.ts';
import { timeLimit } from '../support/process/crash-run.ts';
import { eventually } from '../support/service/service-client.ts';
import type { ServiceProcess } from '../support/service/supervisor.ts';
import { append, claim, sampleTask } from '../support/db/store-samples.ts';
import { audit } from './chromium.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

const words = Array.from({ length: 24 }, (_, index) => `word${index + 1} `);
const suggestions = ['As a PDF', 'As a web page'];

/** A turn with everything that a task page shows. */
const everything: Step[] = [
  {
    text: 'First the plan.',
    calls: [
      {
        tool: 'update_plan',
        input: {
          steps: [
            { title: 'Collect the figures', status: 'done' },
            { title: 'Write the report', status: 'doing' },
            { title: 'Check it', status: 'todo' },
          ],
        },
      },
      { tool: 'write_file', input: { path: 'report.md', content: '# Report\n\nAll is well.' } },
      { tool: 'run_shell', input: { command: 'for i in 1 2 3; do echo line $i; sleep 0.3; done' } },
      { tool: 'deliver', input: { files: [{ path: 'report.md' }] } },
    ],
  },
  { calls: [{ tool: 'ask_user', input: { question: 'In which **form** do you want it?', suggestions } }] },
  { calls: [{ tool: 'run_shell', input: { command: 'rm -rf /memory/drafts; echo "tidied up"' } }] },
  { text: words, frameDelayMs: 60 },
];

let model: ModelServer;
let web: WebUnderTest<ServiceProcess>;

beforeAll(async () => {
  model = await startModelServer();
  web = await WebUnderTest.startKillable({ ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl });
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await model.stop();
});

const createOne = (text: string, more: Answer = {}) => web.createTask(text, { interactive_mode: true, ...more });

async function detailOf(taskId: string): Promise<Answer> {
  return (await web.call('task.detail', { task_id: taskId })).task as Answer;
}

/** The texts that the conversation shows, in their order. The window is high enough for all of them. */
async function shownTexts(page: Page, pattern: RegExp): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`[...document.querySelectorAll('[role=log] [data-index]')]
    .sort((a, b) => a.dataset.index - b.dataset.index).map((row) => row.innerText)`);
  return texts.flatMap((text) => pattern.exec(text)?.[0] ?? []);
}

describe('the page of a task', () => {
  it('shows progress, takes answers and approvals, and renames, shares, stops, and deletes the task', async () => {
    await model.script([
      { match: 'Write the report', steps: everything },
      { match: 'Go on', steps: [{ text: words, frameDelayMs: 2_000 }] },
    ]);
    const taskId = await createOne('Write the report', { title: 'Figures' });
    const page = await web.open(`/app/${taskId}`);
    const log = page.getByRole('log', { name: 'Conversation' });
    const question = log.getByRole('article').filter({ hasText: 'Question from the agent' });
    await question.getByRole('button', { name: 'As a PDF' }).waitFor();
    await examine(page, 'task-question');
    // Steps are collapsed until expanded.
    expect(await log.getByText('line 3').count()).toBe(0);
    await log.getByRole('button', { name: /^3 steps/ }).click();
    await log.getByRole('button', { name: /^Ran/ }).click();
    await log.getByText('line 3').waitFor();
    await question.getByRole('button', { name: 'As a PDF' }).click();
    await log.getByRole('heading', { name: 'Run this command?' }).waitFor();
    await log.getByText('As a PDF').last().waitFor();
    await examine(page, 'task-confirmation');
    await log.getByLabel('Always allow this kind of action in this task').click();
    await page.evaluate(watchDraft);
    await log.getByRole('button', { name: 'Allow', exact: true }).click();
    await log.getByText(/^Done/).waitFor();
    const { lengths, spoken } = await page.evaluate<{ lengths: number[]; spoken: string[] }>('window.draftSeen');
    // Token by token on the page, whole for screen readers.
    expect(new Set(lengths).size).toBeGreaterThan(8);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(spoken.filter((text) => text.includes('word1 '))).toEqual([expect.stringContaining('word24')]);
    await log.getByText('Allowed').waitFor();
    await page.keyboard.press('Escape');
    await log.focus();
    await page.keyboard.press('e');
    await log.getByRole('group', { name: 'Output' }).filter({ hasText: 'tidied up' }).waitFor();
    await examine(page, 'task-done');

    await page.getByRole('button', { name: /Figures/ }).click();
    await page.getByLabel('Task title').fill('Better figures');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Better figures/ }).waitFor();
    await eventually('the new title', async () => ((await detailOf(taskId)).title === 'Better figures' ? true : null));

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('Anyone with the link').click();
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
    await examine(page, 'task-share');
    const shareId = link.split('/').at(-1) ?? '';
    const readShared = async () => (await fetch(`${web.base}/web/share.detail?share_id=${shareId}`)).status;
    expect(await readShared()).toBe(200);
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('textbox', { name: 'Link' }).waitFor({ state: 'detached' });
    await eventually('the end of the share', async () => ((await readShared()) === 404 ? true : null));
    await page.keyboard.press('Escape');

    await log.focus();
    await page.keyboard.press('/');
    await page.keyboard.type('Go on');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('as before');
    expect(await page.getByLabel('Message to the agent').inputValue()).toBe('Go on\nas before');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await log.getByText('word1').last().waitFor();
    await page.keyboard.press('Control+.');
    await log.getByText('Stopped', { exact: true }).waitFor();
    expect((await detailOf(taskId)).status).toBe('stopped');
    // What was written so far is not taken from who read it.
    await log.getByText('Stopped before this reply was finished').waitFor();
    expect(await log.getByText('word1').count()).toBeGreaterThan(1);

    await page.getByRole('button', { name: 'More task actions' }).click();
    await page.getByRole('menuitem', { name: 'Show as curl' }).click();
    await page.getByRole('dialog').getByText('$ERRAND_API_KEY').first().waitFor();
    // The tip of a button goes with the focus.
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).focus();
    await page.locator('[data-radix-popper-content-wrapper]').waitFor({ state: 'detached' });
    await examine(page, 'task-curl');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More task actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${web.base}/`);
    await expect(detailOf(taskId)).rejects.toThrow('not_found');
    await page.goto(`${web.base}/app/${taskId}`);
    await page.getByRole('heading', { name: 'Task not found' }).waitFor();
    expect(await audit(page, false)).toEqual([]);
    await page.close();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });

  it('loses and repeats nothing across reloads, a killed service, and messages that could not be sent', async () => {
    const count = 12;
    const steps = Array.from({ length: count }, (_, index): Step => {
      const command = `echo out ${index + 1}`;
      return {
        text: [`Step `, `${index + 1} `, `is here`],
        frameDelayMs: 80,
        calls: [{ tool: 'run_shell', input: { command } }],
      };
    });
    await model.script([
      { match: 'Count', steps: [...steps, { text: 'Step 13 is here' }] },
      { match: 'One more', steps: [{ text: 'Step 14 is here' }] },
    ]);
    const taskId = await createOne('Count');
    const page = await web.open(`/app/${taskId}`);
    await page.setViewportSize({ width: 1280, height: 3_000 });
    const log = page.getByRole('log');
    await log.getByText('Step 3 is here').waitFor();
    await page.reload();
    await log.getByText('Step 5 is here').waitFor();
    await web.service.restart();
    await log.getByText('Step 8 is here').waitFor();
    await web.context.setOffline(true);
    await page.getByText('You’re offline').waitFor();
    await web.context.setOffline(false);
    await log.getByText(/^Done/).waitFor();
    const expected = Array.from({ length: count + 1 }, (_, index) => `Step ${index + 1} is here`);
    expect(await shownTexts(page, /Step \d+ is here/)).toEqual(expected);

    await web.service.kill();
    await page.getByLabel('Message to the agent').fill('One more');
    await page.getByRole('button', { name: 'Send' }).click();
    await log.getByText('Not sent').waitFor();
    await log.getByRole('button', { name: 'Resend' }).click();
    await log.getByText('Sending').waitFor();
    await web.service.restart();
    // Whatever became of the requests on their way: the page that comes back sends the same one.
    await page.reload();
    await log.getByText('Step 14 is here').waitFor();
    await eventually('the end', async () => ((await detailOf(taskId)).status === 'stopped' ? true : null));
    expect(await shownTexts(page, /^One more|Step \d+ is here/)).toEqual([...expected, 'One more', 'Step 14 is here']);
    await page.reload();
    await log.getByText('Step 14 is here').waitFor();
    expect(await shownTexts(page, /^One more|Step \d+ is here/)).toEqual([...expected, 'One more', 'Step 14 is here']);
    await page.close();
  });

  it('opens a task of 5,000 events within a second and reacts to every key and click within 200 ms', async () => {
    const taskId = await storeLongTask();
    const page = await web.context.newPage();
    await page.addInitScript(watchSpeed);
    const openings: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await page.goto(`${web.base}/app/${taskId}`);
      await page.getByRole('log').getByText('The last word').waitFor();
      openings.push(await page.evaluate<number>('window.firstRowMs'));
    }
    await page.locator('[role=log][aria-busy=false]').waitFor();
    // Thousands of steps are a few elements.
    expect(await page.locator('section[aria-label=Replay] *').count()).toBeLessThan(40);
    const rounds: Speed[] = [];
    for (let round = 0; round < 3; round += 1) rounds.push(await useLongTask(page));
    if (process.env.ERRAND_TEST_PICTURES !== undefined) console.log({ openings, rounds });
    // The best of several rounds, because the machine has other work; in each of them the worst that a person met.
    const best = (measure: (round: Speed) => number) => Math.min(...rounds.map(measure));
    expect(Math.min(...openings)).toBeLessThan(timeLimit(1_000));
    expect(best(({ interactionsMs }) => Math.max(...interactionsMs))).toBeLessThan(timeLimit(200));
    expect(
      best(({ framesMs }) => framesMs.toSorted((one, other) => one - other)[Math.floor(framesMs.length * 0.95)] ?? 0),
    ).toBeLessThan(timeLimit(100));
    expect(best(({ blankCount }) => blankCount)).toBe(0);
    await page.close();
  });
});

/** What a user experienced: the delay of each interaction, and each frame of scrolling. */
interface Speed {
  interactionsMs: number[];
  framesMs: number[];
  /** How often nothing but background stood in the middle, two frames after a turn of the wheel. */
  blankCount: number;
}

/** Unfolds, writes, scrolls, goes from end to end, and replays. */
async function useLongTask(page: Page): Promise<Speed> {
  await page.evaluate('speed.reset()');
  const log = page.getByRole('log');
  await log
    .getByRole('button', { name: /^4 steps/ })
    .last()
    .click();
  await log.getByRole('button', { name: /^Ran/ }).last().click();
  await log.focus();
  // All of them at once, and folded again.
  for (const _ of [1, 2]) await page.keyboard.press('e');
  await page.getByLabel('Message to the agent').pressSequentially('every key counts');
  await page.getByLabel('Message to the agent').fill('');
  await log.hover();
  await page.evaluate('speed.watchFrames(true)');
  for (let turn = 0; turn < 15; turn += 1) {
    await page.mouse.wheel(0, -4_000);
    await page.evaluate('speed.look()');
  }
  await page.evaluate('speed.watchFrames(false)');
  await log.focus();
  await page.keyboard.press('Home');
  await log.getByText('The first word').waitFor();
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await log.getByText('The last word').waitFor();
  await page.getByRole('slider', { name: 'Replay' }).focus();
  for (const key of ['ArrowLeft', 'PageUp', 'ArrowLeft', 'Home']) await page.keyboard.press(key);
  await log.getByText('The first word').waitFor();
  await page.keyboard.press('End');
  await log.getByText('The last word').waitFor();
  return page.evaluate<Speed>('speed.read()');
}

/** Runs in the page: records the reply's length each time it grows, and what screen readers announce. */
const watchDraft = `(() => {
  const seen = { lengths: [], spoken: [] };
  window.draftSeen = seen;
  new MutationObserver(() => {
    const draft = document.querySelector('[role=log] article[aria-busy]');
    if (draft) seen.lengths.push(draft.innerText.length);
    for (const region of document.querySelectorAll('[aria-live=polite], [role=status]')) {
      const text = region.textContent;
      if (text !== '' && !seen.spoken.includes(text)) seen.spoken.push(text);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

/** Runs in the page before its own scripts: when the first row appears, and the delay of each interaction. */
const watchSpeed = `
  const interactions = new Map();
  let frames = [], blankCount = 0, isWatching = false, lastMs = 0;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  const frame = (nowMs) => {
    if (!isWatching) return;
    frames.push(nowMs - lastMs);
    lastMs = nowMs;
    requestAnimationFrame(frame);
  };
  const next = () => new Promise((done) => requestAnimationFrame(done));
  window.speed = {
    reset() { interactions.clear(); frames = []; blankCount = 0; },
    watchFrames(isOn) { isWatching = isOn; lastMs = performance.now(); if (isOn) requestAnimationFrame(frame); },
    async look() {
      await next();
      await next();
      const { left, top, width, height } = document.querySelector('[role=log]').getBoundingClientRect();
      if (!document.elementFromPoint(left + width / 2, top + height / 2)?.closest('[data-index]')) blankCount += 1;
    },
    async read() {
      await next();
      await new Promise((done) => setTimeout(done, 50));
      return { interactionsMs: [0, ...interactions.values()], framesMs: frames, blankCount };
    },
  };
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[role=log] [data-index]')) return;
    requestAnimationFrame(() => { window.firstRowMs ??= performance.now(); });
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true });
`;

/** 5,000 events past the agent: words and calls with output in turn. */
async function storeLongTask(): Promise<string> {
  const known = await createOne('say hello');
  await web.service.kill();
  const direct = new DatabaseSync(join(web.service.dataDir, databaseFile));
  const row = direct.prepare('SELECT account_id FROM tasks WHERE id = ?').get(known) as { account_id: string };
  direct.close();
  const database = await openSqlite(web.service.dataDir, systemClock);
  const now = Date.now();
  const message = { type: 'user_message' as const, text: 'The first word', kind: 'text' as const };
  const sample = sampleTask(row.account_id, { now, title: 'A long one', message });
  await database.run(createTask, sample);
  const claimed = await claim(database, { workerId: 'long' });
  const lease = claimed.find(({ taskId }) => taskId === sample.taskId);
  if (!lease) throw new Error('the task was not due');
  const about = { tool: 'run_shell', status: 'success' as const, brief: 'Running make', action: 'Running a command' };
  const output = Array.from({ length: 40 }, (_, line) => `src/file-${line}.ts: checked, nothing to change here`).join('\n');
  const events = Array.from({ length: 4_990 }, (_, index): TaskEvent => {
    if (index % 5 === 0) return { type: 'explained', text: `Step ${index}: a few **words** about \`what\` comes next.` };
    return { type: 'tool_finished', callId: `c${index}`, ...about, param: `make target-${index}`, output };
  });
  for (let at = 0; at < events.length; at += 499) await append(lease, events.slice(at, at + 499), database);
  await append(
    lease,
    [
      { type: 'assistant_message', text: 'The last word' },
      { type: 'stopped', by: 'agent' },
    ],
    database,
  );
  await database.close();
  await web.service.restart();
  return sample.taskId;
}
