import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBrowser } from '../browser/chromium.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { ServiceClient } from '../support/service/service-client.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const folder = createFolder('react-package');
const readme = readFileSync(join(checkout, 'packages/react/README.md'), 'utf8');
const tsc = join(checkout, 'node_modules/.bin/tsc');

let product: Server;
let service: LocalService;
let client: ServiceClient;
let browser: TestBrowser;
let page: Page;
const scripts = new Map<string, string>();
let taskId = '';
let given = 0;

/** Packs a package in a copy of its folder and unpacks it where the page finds it. */
async function install(name: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: join(folder, 'packages', name),
  });
  const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[];
  const place = join(folder, 'node_modules/@errand', name);
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '-C', place, '--strip-components=1']);
}

/** A page whose task and token change while it is open. */
const changing = `
import { TaskView, useTask, type TaskAccess } from '@errand/react';
import { createRoot } from 'react-dom/client';

function Page(access: TaskAccess) {
  const { task, error, refresh } = useTask(access);
  return (
    <>
      <TaskView {...access} />
      <p>{\`\${task ? task.id : 'no task'}, \${error ? 'failed' : 'fine'}\`}</p>
      <button onClick={refresh}>Refresh</button>
    </>
  );
}

const root = createRoot(document.body.appendChild(document.createElement('main')));
window.show = (access: TaskAccess) => root.render(<Page {...access} />);
`;

/** Installs the packages as they are packed. */
async function installPackages(): Promise<void> {
  for (const file of ['tsconfig.json', 'packages/client', 'packages/react'])
    cpSync(join(checkout, file), join(folder, file), { recursive: true, filter: (path) => !path.includes('/dist') });
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of ['react', 'react-dom', '@types/react', 'csstype', 'scheduler'])
    symlinkSync(join(checkout, 'node_modules', name), join(folder, 'node_modules', name));
  for (const name of ['client', 'react']) {
    await run(tsc, ['-p', join(folder, 'packages', name, 'tsconfig.build.json')]);
    await install(name);
  }
}

async function bundle(name: string, source: string): Promise<void> {
  writeFileSync(join(folder, `${name}.tsx`), source);
  const transform = { define: { 'process.env.NODE_ENV': '"production"' } };
  const built = await build({ input: join(folder, `${name}.tsx`), cwd: folder, write: false, transform, platform: 'browser' });
  scripts.set(`/${name}.js`, built.output[0].code);
}

/** The product: a page of another origin than the service, and its route for tokens. */
async function serve(): Promise<void> {
  product = createServer((request, response) => {
    if (request.url === '/task-token') {
      given += 1;
      const can = ['read', 'stream', 'answer'];
      if (given === 1) return void response.end('et_that.has-ended');
      void client.ask('task.token', { task_id: taskId, expires_in: 600, can }).then(
        ({ token }) => response.end(token),
        () => response.writeHead(404).end(),
      );
    } else if (scripts.has(request.url ?? '')) {
      response.setHeader('content-type', 'text/javascript').end(scripts.get(request.url ?? ''));
    } else {
      const name = request.url === '/changing' ? 'changing' : 'example';
      const known = `<script>window.task = ${JSON.stringify({ url: service.url, taskId })}</script>`;
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><html lang="en"><title>Product</title><body>${known}<script type="module" src="/${name}.js"></script>`,
      );
    }
  });
  await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve));
}

const origin = () => `http://127.0.0.1:${(product.address() as AddressInfo).port}`;

beforeAll(async () => {
  await installPackages();
  await bundle('example', /```tsx\n(.*?)```/s.exec(readme)?.[1] ?? '');
  await bundle('changing', changing);
  await serve();
  service = await LocalService.start({ env: { ERRAND_CORS_ORIGINS: origin() } });
  client = new ServiceClient(service);
  browser = await TestBrowser.open();
  page = await (await browser.newContext()).newPage();
});

afterAll(async () => {
  await browser.end();
  await service.end();
  product.close();
  removeFolder(folder);
});

describe('the view of a task in the page of a product', () => {
  it('shows the conversation, takes an answer, and shows what comes of it', async () => {
    const content = 'ask Which <b>color</b>?\nsay <img src=x onerror=alert(1)> painted';
    taskId = String((await client.ask('task.create', { message: { content }, interactive_mode: true })).task_id);
    await page.goto(origin());
    const view = page.getByRole('region', { name: 'Conversation' });
    await view.getByText('Waiting for you').waitFor();
    expect(await view.getByText('Which <b>color</b>?', { exact: true }).count()).toBe(1);
    await view.getByRole('textbox', { name: 'Your answer' }).fill('say Blue it is');
    await view.getByRole('button', { name: 'Send' }).click();
    await view.getByText('Done').waitFor();
    expect(await view.getByRole('log').textContent()).toContain('say Blue it is');
    expect(await view.getByRole('textbox').count()).toBe(0);
    // What a model writes is text.
    expect(await view.locator('img, b').count()).toBe(0);
    // The first token had ended, and another was asked for.
    expect(given).toBe(3);
  });

  it('says that a task is not there which was deleted', async () => {
    await client.ask('task.delete', { task_id: taskId });
    await page.reload();
    await page.getByText('This task can’t be shown.').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(0);
  });
});

describe('a task in a page that changes', () => {
  const create = async (content: string) => String((await client.ask('task.create', { message: { content } })).task_id);
  const tokenOf = async (task_id: string) =>
    String((await client.ask('task.token', { task_id, expires_in: 600, can: ['read', 'stream', 'answer'] })).token);
  /** Renders the page with a token, or with a function that gets it. */
  const show = (task: string, token: string, isAsked = false) => {
    const access = JSON.stringify({ baseUrl: service.url, taskId: task });
    const source = JSON.stringify(token);
    return page.evaluate(`show({ ...${access}, token: ${isAsked ? `() => ${source}` : source} })`);
  };

  it('is another task with the token of that, however the token is given', async () => {
    const [first, second] = [await create('say one'), await create('say two')];
    await page.goto(`${origin()}/changing`);
    for (const isAsked of [true, false])
      for (const [task, words] of [
        [first, 'say one'],
        [second, 'say two'],
      ] as const) {
        await show(task, await tokenOf(task), isAsked);
        await page.getByText(`${task}, fine`).waitFor();
        await page.getByRole('log').getByText(words, { exact: true }).waitFor();
        expect(await page.getByRole('log').getByRole('list').count()).toBe(1);
      }
  });

  it('is followed with a new token after the last one was refused', async () => {
    const task = await create('say three');
    await page.goto(`${origin()}/changing`);
    await show(task, 'et_that.has-ended');
    await page.getByText('This task can’t be shown.').waitFor();
    await show(task, await tokenOf(task));
    await page.getByText('Done').waitFor();
    await page.getByText(`${task}, fine`).waitFor();
    expect(await page.getByText('This task can’t be shown.').count()).toBe(0);
  });

  it('is still what was read last after it could not be read again', async () => {
    const task = await create('say four');
    await page.goto(`${origin()}/changing`);
    await show(task, await tokenOf(task));
    await page.getByText(`${task}, fine`).waitFor();
    await client.ask('task.delete', { task_id: task });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText(/, failed$/).waitFor();
    expect(await page.getByText(/, failed$/).textContent()).toBe(`${task}, failed`);
  });
});
