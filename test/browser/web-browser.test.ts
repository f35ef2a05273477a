import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { hasBrowser } from '../support/tools/browser-under-test.ts';
import { audit } from './chromium.ts';
import { findCutOff, settle } from './page-checks.ts';
import { savePicture, WebUnderTest } from './web-under-test.ts';

const canary = 'CanaryWord4711';
const form = `<!doctype html><title>Sign in</title><body style="margin:0;font:28px sans-serif"><h1 style="margin:40px">Sign in</h1>
<input aria-label="Code" style="position:absolute;left:40px;top:140px;width:500px;height:60px;font-size:28px">
<p id="out" style="position:absolute;left:40px;top:240px"></p><script>
document.querySelector('input').oninput = (event) => { out.textContent = 'Code ' + event.target.value + ' taken'; };</script>`;

let model: ModelServer;
let web: WebUnderTest;

beforeAll(async () => {
  if (!hasBrowser) return;
  model = await startModelServer();
  web = await WebUnderTest.start({ ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl });
  const browse = (...actions: object[]) => ({ tool: 'use_browser', input: { actions } });
  await model.script([
    {
      match: 'Sign in for me',
      steps: [
        {
          calls: [
            { tool: 'write_file', input: { path: 'form.html', content: form } },
            browse({ do: 'open', url: 'form.html' }),
            { tool: 'run_shell', input: { command: 'until [ -e go ]; do sleep 0.1; done' } },
          ],
        },
        { calls: [browse({ do: 'look' }, { do: 'screenshot', path: 'after.png' })] },
        { text: 'You are signed in.' },
      ],
    },
  ]);
});

afterAll(async () => {
  await web?.[Symbol.asyncDispose]();
  await model?.stop();
});

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const colorScript = `(() => {
  const canvas = document.querySelector('section:not([hidden]) canvas');
  const { data } = canvas.getContext('2d', { willReadFrequently: true }).getImageData(0, 0, canvas.width, canvas.height);
  const colors = new Set();
  for (let at = 0; at < data.length; at += 404) colors.add([data[at], data[at + 1], data[at + 2], data[at + 3]].join());
  return colors.size;
})()`;

/** How many colors the picture has: more than one once something was drawn. */
const countColors = (page: Page) => page.evaluate<number>(colorScript);

async function lookAt(page: Page, width: number): Promise<void> {
  await settle(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect([width, colorScheme, await audit(page, false)]).toEqual([width, colorScheme, []]);
    expect([width, await findCutOff(page)]).toEqual([width, []]);
    await savePicture(page, `live-browser-driving-${width}-${colorScheme}`);
  }
}

const inControl = 'You’re in control. The agent waits.';
const regionOf = (page: Page) => page.getByRole('region', { name: 'Browser' });

/** Escape lets go of the picture, and neither stops the agent nor closes the sheet around it. */
async function leavePicture(page: Page, taskId: string): Promise<void> {
  await regionOf(page).getByRole('application').focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Hand back');
  expect((await web.call('task.detail', { task_id: taskId })).task).toMatchObject({ status: 'running' });
  expect(await regionOf(page).getByText(inControl).isVisible()).toBe(true);
}

/** As if somebody looked at another tab, and came back: the page keeps its stream, and types on. */
async function lookElsewhere(page: Page): Promise<void> {
  const streams: string[] = [];
  page.on('request', (request) => request.url().includes('/task.watchBrowser') && streams.push(request.url()));
  for (const state of ['hidden', 'visible']) {
    await page.evaluate(`(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
      document.dispatchEvent(new Event('visibilitychange'));
    })()`);
  }
  const typed = page.waitForResponse((response) => response.url().endsWith('/task.driveBrowser'));
  await regionOf(page).getByRole('application').focus();
  await page.keyboard.type('!');
  expect((await typed).status()).toBe(200);
  expect(await regionOf(page).getByText(inControl).isVisible()).toBe(true);
  expect(streams).toEqual([]);
}

/** Ends the control of a page as the service does after a rest, while the keyboard is on the picture: letters stay harmless. */
async function endControl(page: Page, taskId: string, viewId: string): Promise<void> {
  await regionOf(page).getByRole('application').focus();
  await web.callWeb('task.driveBrowser', { task_id: taskId, view_id: viewId, action: 'hand_back' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Take over');
  const before = page.url();
  for (const key of ['e', 'j', 'k', 'n', '/']) await page.keyboard.press(key);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Take over');
  expect(page.url()).toBe(before);
}

describe.skipIf(!hasBrowser)('the browser of a task in the workbench', () => {
  it('is seen live and taken over; what a person types reaches the page, and no log, event, store, or prompt', async () => {
    const taskId = await web.createTask('Sign in for me');
    const page = await web.open(`/app/${taskId}`);
    await page.setViewportSize({ width: 1280, height: 900 });
    const region = regionOf(page);
    await region.getByText('The agent is using this browser.').waitFor({ timeout: 60_000 });
    await expect.poll(() => countColors(page), { timeout: 20_000 }).toBeGreaterThan(1);
    await savePicture(page, 'live-browser-agent-1280');
    const asked = page.waitForRequest((request) => request.url().endsWith('/task.driveBrowser'));
    await region.getByRole('button', { name: 'Take over' }).click();
    const { view_id: viewId } = (await asked).postDataJSON() as { view_id: string };
    await region.getByText(inControl).waitFor();
    const screen = region.getByRole('application');
    const box = await screen.boundingBox();
    if (!box) throw new Error('there is no picture');
    await screen.click({ position: { x: (200 / 1280) * box.width, y: (170 / 800) * box.height } });
    await page.keyboard.type(canary);
    const go = join(dirname(filesBelow(web.service.dataDir).find((path) => path.endsWith('/form.html')) ?? ''), 'go');
    await lookAt(page, 1280);
    await leavePicture(page, taskId);
    await lookElsewhere(page);
    await endControl(page, taskId, viewId);
    await region.getByRole('button', { name: 'Take over' }).click();
    await region.getByText(inControl).waitFor();
    // The workbench of a phone is another one, in a sheet; what leaves the page hands the browser back.
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole('button', { name: 'Show workbench' }).click();
    await region.getByRole('button', { name: 'Take over' }).click({ timeout: 30_000 });
    await region.getByText(inControl).waitFor();
    await lookAt(page, 390);
    await leavePicture(page, taskId);
    await region.getByLabel('Type into the page').fill(' and more');
    await region.getByRole('button', { name: 'Type', exact: true }).click();
    writeFileSync(go, '');
    await region.getByRole('button', { name: 'Hand back' }).click();
    await expect
      .poll(async () => (await web.call('task.detail', { task_id: taskId })).task, { timeout: 60_000 })
      .toMatchObject({
        status: 'stopped',
      });
    const calls = JSON.stringify((await model.calls()).map(({ body }) => body));
    expect(calls).toContain('a person has used the browser meanwhile');
    // The page has received it: it shows what was typed, which the model is told without the words themselves.
    expect(calls).toContain('Code (typed by a person) (typed by a person) taken');
    expect(calls).not.toContain(canary);
    const messages = await web.call('task.listMessages', { task_id: taskId, verbose: 'true', limit: '100' });
    expect(JSON.stringify(messages)).not.toContain(canary);
    expect(web.service.lines.map(({ text }) => text).join('\n')).not.toContain(canary);
    const holders = filesBelow(web.service.dataDir).filter((path) => readFileSync(path).includes(canary));
    expect(holders).toEqual([]);
    await expect.poll(() => region.isVisible()).toBe(false);
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
    await page.close();
  });

  it('takes nothing from pages of other sites, which cannot prove that they are the application', async () => {
    const cookies = await web.context.cookies(web.base);
    const response = await fetch(`${web.base}/web/task.driveBrowser`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
      body: JSON.stringify({ task_id: 'x', view_id: 'any-view-id', action: 'take' }),
    });
    expect([401, 403]).toContain(response.status);
  });
});
