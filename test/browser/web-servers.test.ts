import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { audit } from './chromium.ts';
import { findCutOff, settle } from './page-checks.ts';
import { savePicture, WebUnderTest } from './web-under-test.ts';

const page = `<!doctype html><title>Shop</title><link rel="stylesheet" href="/style.css"><h1>Shop</h1><p id="out"></p>
<script type="module" src="/main.js"></script><img src="https://evil.example/x.png">`;
const main = `const answer = await fetch('/data.json');
document.getElementById('out').textContent = (await answer.json()).text + ', ' + window.origin
  + ', ' + getComputedStyle(document.querySelector('h1')).color;`;

let model: ModelServer;
let web: WebUnderTest;

beforeAll(async () => {
  if (!testSandbox) return;
  model = await startModelServer();
  web = await WebUnderTest.start({ ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl });
  const write = (path: string, content: string) => ({ tool: 'write_file', input: { path, content } });
  const shell = (command: string, more: object = {}) => ({ tool: 'run_shell', input: { command, ...more } });
  await model.script([
    {
      match: 'Serve the shop',
      steps: [
        {
          calls: [
            write('shop/index.html', page),
            write('shop/main.js', main),
            write('shop/style.css', 'h1 { color: rgb(200, 0, 0); font: 40px sans-serif }'),
            write('shop/data.json', '{"text":"Three apples"}'),
            shell('until [ -e /workspace/go ]; do sleep 0.1; done', { background: true }),
            shell('until [ -e /workspace/serve ]; do sleep 0.1; done', { timeout_seconds: 600 }),
            shell('cd /workspace/shop && python3 -um http.server 3000', { background: true }),
            shell('until [ -e /workspace/go ]; do sleep 0.1; done; pkill -f http.server; sleep 600', { timeout_seconds: 600 }),
          ],
        },
      ],
    },
  ]);
});

afterAll(async () => {
  await web?.[Symbol.asyncDispose]();
  await model?.stop();
});

/** Tells the commands of the task to go on. */
function signal(name: string): void {
  const files = readdirSync(web.service.dataDir, { recursive: true, encoding: 'utf8' });
  const shop = files.find((path) => path.endsWith('/shop/index.html')) ?? '';
  writeFileSync(join(web.service.dataDir, shop, '..', '..', name), '');
}

const regionOf = (at: Page) => at.getByRole('region', { name: 'Preview' });

async function lookAt(at: Page, name: string, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await at.setViewportSize({ width, height: 900 });
    if (width === 390) await at.getByRole('button', { name: 'Show workbench' }).click();
    await regionOf(at).waitFor();
    await settle(at);
    for (const colorScheme of ['dark', 'light'] as const) {
      await at.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect([name, width, colorScheme, await audit(at, false)]).toEqual([name, width, colorScheme, []]);
      expect([name, width, await findCutOff(at)]).toEqual([name, width, []]);
      await savePicture(at, `${name}-${width}-${colorScheme}`);
    }
    if (width === 390) await at.keyboard.press('Escape');
  }
  await at.setViewportSize({ width: 1280, height: 900 });
}

describe.skipIf(!testSandbox)('a server in the sandbox of a task', () => {
  it('is awaited, shown in the workbench and in a tab with its scripts, and its end is said', async () => {
    const taskId = await web.createTask('Serve the shop');
    const at = await web.open(`/app/${taskId}`);
    await at.setViewportSize({ width: 1280, height: 900 });
    const region = regionOf(at);
    await region.getByText('No server is running in the sandbox.').waitFor({ timeout: 240_000 });
    await lookAt(at, 'servers-none', [390]);
    signal('serve');
    await region.getByText('Port 3000').waitFor({ timeout: 240_000 });
    await region.getByRole('button', { name: 'Show here' }).click();
    const frame = region.frameLocator('iframe');
    await frame.getByText('Three apples, null, rgb(200, 0, 0)').waitFor({ timeout: 240_000 });
    await lookAt(at, 'servers-shown', [1280, 390]);
    const opened = at.context().waitForEvent('page');
    await region.getByRole('link', { name: 'Open in a tab' }).click();
    const tab = await opened;
    await tab.getByText('Three apples, null, rgb(200, 0, 0)').waitFor({ timeout: 240_000 });
    expect(new URL(tab.url()).hostname).toMatch(/^[0-9a-v]{60}\.localhost$/);
    expect(await tab.evaluate('opener')).toBeNull();
    signal('go');
    await region.getByText('The server on port 3000 has ended.').waitFor({ timeout: 240_000 });
    await lookAt(at, 'servers-ended', [1280]);
    await tab.reload();
    await tab.getByText('No server answers at this port.').waitFor({ timeout: 240_000 });
    await savePicture(tab, 'servers-gone-tab');
  });
});
