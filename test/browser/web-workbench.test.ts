import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, type Step, startModelServer } from '../support/models/model-server.ts';
import { audit } from './chromium.ts';
import { findCutOff, measureShift, settle, walkByKeyboard } from './page-checks.ts';
import { savePicture, WebUnderTest } from './web-under-test.ts';

const plan = (doing: number) => ({
  tool: 'update_plan',
  input: {
    steps: ['Collect the figures', 'Write the report'].map((title, index) => {
      return { title, status: index < doing ? 'done' : index === doing ? 'doing' : 'todo' };
    }),
  },
});
const shell = (command: string) => ({ tool: 'run_shell', input: { command } });
const slides = [{ layout: 'title', title: 'Figures' }];

/** A run with two phases, a failure, and deliverables in several formats. */
const run: Step[] = [
  {
    text: 'First the figures.',
    calls: [plan(0), shell('echo broken; exit 3'), shell('for i in 1 2 3; do echo line $i; done')],
    usage: { input: 1_200, output: 34, cached: 1_000 },
  },
  { calls: [{ tool: 'ask_user', input: { question: 'Of which month?', suggestions: ['May', 'June'] } }] },
  {
    text: 'Now the report.',
    calls: [
      plan(1),
      { tool: 'write_file', input: { path: 'report.html', content: '<!doctype html><title>Report</title><h1>Findings</h1>' } },
      { tool: 'write_file', input: { path: 'report.md', content: '# Findings in words' } },
      { tool: 'make_slides', input: { path: 'figures.html', slides } },
      { tool: 'write_file', input: { path: 'notes.md', content: '# Notes\n\nNothing else.' } },
      {
        tool: 'deliver',
        input: { files: [{ path: 'report.md' }, { path: 'report.html' }, { path: 'figures.html' }, { path: 'notes.md' }] },
      },
    ],
  },
  { calls: [plan(2)] },
  { text: 'The **report** is ready.' },
];

let model: ModelServer;
let web: WebUnderTest;
let taskId: string;

beforeAll(async () => {
  model = await startModelServer();
  web = await WebUnderTest.start({ ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl });
  await model.script([{ match: 'Write the report', steps: run }]);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await model.stop();
});

const isSelected = async (tab: Locator) => (await tab.getAttribute('aria-selected')) === 'true';

/** What a page is like in a width and both themes: nothing inaccessible, nothing cut off, no shift. */
async function lookAt(page: Page, name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await settle(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const options = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } };
    expect([name, width, await audit(page, false, options)]).toEqual([name, width, []]);
    expect([name, width, await findCutOff(page)]).toEqual([name, width, []]);
    await savePicture(page, `workbench-${name}-${width}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

it('the workbench shows what runs now, then the deliverables in every format, and keeps the view that was chosen', async () => {
  taskId = await web.createTask('Write the report', {
    title: 'Figures of May',
    share_visibility: 'public',
    interactive_mode: true,
  });
  const page = await web.open(`/app/${taskId}`);
  const bench = page.getByRole('complementary', { name: 'Workbench' });
  const tab = (name: string) => bench.getByRole('tab', { name, exact: true });
  await bench.getByRole('group', { name: 'Output' }).getByText('line 3').waitFor();
  expect(await isSelected(tab('Now'))).toBe(true);
  await bench.getByRole('group', { name: 'Input' }).getByText('echo line $i').waitFor();
  await bench.getByRole('region', { name: 'Plan' }).waitFor();

  await page.getByRole('log').getByRole('button', { name: 'May' }).click();
  await page.getByRole('log').getByText(/^Done/).waitFor();
  await expect.poll(() => isSelected(tab('Result'))).toBe(true);
  await bench.getByRole('tablist', { name: 'Deliverables' }).getByRole('tab').nth(3).waitFor();
  expect(await bench.getByRole('tablist', { name: 'Deliverables' }).getByRole('tab').allInnerTexts()).toEqual([
    'report',
    'figures.html',
    'notes.md',
    'All files',
  ]);
  const format = bench.getByLabel('Format');
  await bench.frameLocator('iframe').getByRole('heading', { name: 'Findings' }).waitFor();
  expect(await format.locator('option').allInnerTexts()).toEqual(['HTML', 'MD']);
  await format.selectOption({ label: 'MD' });
  await bench.getByRole('heading', { name: 'Findings in words' }).waitFor();
  expect(await bench.getByRole('link', { name: 'Download' }).getAttribute('href')).toContain('report.md');
  await bench.getByRole('button', { name: 'Next deliverable' }).click();
  // A deck is shown by its pages; the presentation made with them and its PDF are there as well.
  await expect.poll(() => format.locator('option').allInnerTexts()).toEqual(['HTML', 'PPTX', 'PDF']);
  expect(await bench.getByRole('link', { name: 'Open in new tab' }).getAttribute('target')).toBe('_blank');
  for (const width of [1280, 1920]) await lookAt(page, 'result', width);
  await page.setViewportSize({ width: 1280, height: 900 });
  await bench.getByRole('button', { name: 'Next deliverable' }).click();
  await bench.getByRole('heading', { name: 'Notes', exact: true }).waitFor();

  await tab('Now').click();
  await lookAt(page, 'now', 1280);
  await page.reload();
  await bench.getByRole('region', { name: 'Plan' }).waitFor();
  expect(await isSelected(tab('Now'))).toBe(true);
  expect((await measureShift(page)).score).toBeLessThan(0.05);
  const { problems } = await walkByKeyboard(page);
  expect(problems).toEqual([]);
  await page.getByRole('button', { name: 'Hide workbench' }).click();
  await bench.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Show workbench' }).click();
  await bench.waitFor();
  await page.close();
});

it('every step has its trace, which leads to its place in the conversation', async () => {
  const page = await web.open(`/app/${taskId}`);
  const bench = page.getByRole('complementary', { name: 'Workbench' });
  await bench.getByRole('tab', { name: 'Steps' }).click();
  const list = bench.getByRole('list', { name: 'Steps' });
  await expect.poll(() => list.getByRole('listitem').count()).toBeGreaterThan(8);
  await lookAt(page, 'steps', 1280);
  await list.getByRole('button', { name: /echo broken.*Failed/ }).click();
  await bench.getByRole('heading', { name: 'Ran' }).waitFor();
  await bench.getByRole('group', { name: 'Input' }).getByText('echo broken; exit 3').waitFor();
  await bench.getByRole('group', { name: 'Output' }).getByText('broken').waitFor();
  await bench.getByText('Duration').waitFor();
  await bench.getByText('Collect the figures').first().waitFor();
  const call = bench.getByLabel('Model call before this step');
  await call.getByText('compatible/mock').waitFor();
  await call.getByText('1,200 in, 34 out').waitFor();
  await call.getByText('(1,000 cached)').waitFor();
  await call.getByText('Cost').waitFor();
  await lookAt(page, 'trace', 1280);
  await bench.getByRole('button', { name: 'Next step' }).click();
  await bench.getByText('for i in 1 2 3; do echo line $i; done').first().waitFor();
  await bench.getByRole('button', { name: 'Previous step' }).click();
  const log = page.getByRole('log');
  expect(await log.getByRole('group', { name: 'Output' }).count()).toBe(0);
  await bench.getByRole('button', { name: 'Show in conversation' }).click();
  await log.getByRole('group', { name: 'Output' }).getByText('broken').waitFor();
  await bench.getByRole('button', { name: 'All steps' }).click();
  await list.waitFor();
  await page.close();
});

/** Where on a slider a step is. */
async function pressStep(page: Page, slider: Locator, step: number): Promise<void> {
  const [box, count] = [await slider.boundingBox(), Number(await slider.getAttribute('max'))];
  if (!box) throw new Error('there is no slider');
  await page.mouse.click(box.x + 8 + ((step - 1) / (count - 1)) * (box.width - 16), box.y + box.height / 2);
}

it('the scrubber replays conversation and workbench by keys and pointer, and leads back', async () => {
  const page = await web.open(`/app/${taskId}`);
  const bench = page.getByRole('complementary', { name: 'Workbench' });
  const log = page.getByRole('log');
  const slider = bench.getByRole('slider', { name: 'Replay' });
  await log.getByText('is ready').waitFor();
  await slider.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => log.getByText('First the figures.').count()).toBe(0);
  await page.getByRole('status').getByText('Replaying').waitFor();
  await page.keyboard.press('ArrowRight');
  await log.getByText('First the figures.').waitFor();
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'))
    .toMatch(/^Step 3 of \d+: Ran echo broken; exit 3, Failed, Collect the figures, /);
  await bench.getByRole('tab', { name: 'Now' }).click();
  await bench.getByRole('group', { name: 'Output' }).getByText('broken').waitFor();
  expect(await log.getByText('Now the report.').count()).toBe(0);
  await lookAt(page, 'replay', 1280);
  // A click on the strip opens the trace.
  await pressStep(page, slider, 4);
  await bench.getByRole('heading', { name: 'Ran' }).waitFor();
  await bench
    .getByText(/^Step 4 of/)
    .first()
    .waitFor();
  await slider.focus();
  await page.keyboard.press('Escape');
  await log.getByText('is ready').waitFor();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Back to the end' }).last().click();
  await log.getByText('is ready').waitFor();
  expect(await slider.getAttribute('value')).toBe(await slider.getAttribute('max'));
  await lookAt(page, 'steps', 1920);

  // Paper has the conversation from its beginning, and nothing that is pressed.
  await page.emulateMedia({ media: 'print' });
  await bench.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Message to the agent').isVisible()).toBe(false);
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Share' }).isVisible()).toBe(false);
  expect(await page.locator('[role=log] [data-index]').count()).toBe(0);
  expect(await log.getByText('First the figures.').isVisible()).toBe(true);
  await savePicture(page, 'workbench-print');
  await page.emulateMedia({ media: null });

  // On a phone all of it is a sheet.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Show workbench' }).click();
  const sheet = page.getByRole('dialog', { name: 'Workbench' });
  await sheet.getByRole('tab', { name: 'Result' }).click();
  await sheet.getByRole('tab', { name: 'report' }).waitFor();
  await lookAt(page, 'result', 390);
  await sheet.getByRole('tab', { name: 'Steps' }).click();
  await lookAt(page, 'steps', 390);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.close();
});

it('a shared run can be replayed by everybody who can read it', async () => {
  const { task } = (await web.call('task.detail', { task_id: taskId })) as { task: { share_url: string } };
  const page = await web.open(new URL(task.share_url).pathname, await web.newVisitor());
  const log = page.getByRole('log');
  await log.getByText('is ready').waitFor();
  const slider = page.getByRole('slider', { name: 'Replay' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => log.getByText('is ready').count()).toBe(0);
  for (const width of [390, 1280, 1920]) await lookAt(page, 'share', width);
  await page.getByRole('button', { name: 'Back to the end' }).click();
  await log.getByText('is ready').waitFor();
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});
