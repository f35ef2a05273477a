import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { McpServerUnderTest } from '../support/connectors/mcp-server-under-test.ts';
import { fillHostileAccount } from './hostile-account.ts';
import { makeHostileMedia } from './hostile-media.ts';
import { makeHostileDocuments, makeOfficeBombs } from './hostile-office.ts';
import { type SampleFile, WebUnderTest } from './web-under-test.ts';
import { listPayloads } from './xss-payloads.ts';

/** A server of an attacker, which notes whatever reaches it. */
async function openTrap() {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/plain') {
      response.setHeader('content-type', 'text/html').end(`<!doctype html>${listPayloads(origin).join('<hr>')}`);
      return;
    }
    // What the service sends to webhooks is intended; the response is shown with the delivery.
    if (request.method === 'POST') {
      response.setHeader('content-type', 'text/html').end(listPayloads(origin).join('\n'));
      return;
    }
    hits.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end('alert("from the trap")');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin, hits, close };
}

let hits: string[];
let trap: string;
let closeTrap: () => void;

beforeAll(async () => {
  ({ hits, origin: trap, close: closeTrap } = await openTrap());
});

afterAll(() => closeTrap());

/** Tries everything that a page could want of the application, and writes down what it got. */
function spyPage(): string {
  return `<!doctype html><title>Spy</title><body><p id="result">waiting</p><script>
const tried = {};
const attempt = (name, act) => { try { tried[name] = 'got ' + act(); } catch { tried[name] = 'refused'; } };
attempt('cookie', () => document.cookie);
attempt('storage', () => localStorage.length);
attempt('parent', () => parent.document.title);
attempt('top', () => { top.location.href = '${trap}/top'; return 'away'; });
attempt('origin', () => { if (self.origin === 'null') throw 0; return self.origin; });
const asks = ['/v2/task.list', '${trap}/fetch'].map((url) => fetch(url).then(() => 'got', () => 'refused'));
const image = new Promise((resolve) => { const it = new Image(); it.onload = () => resolve('got'); it.onerror = () => resolve('refused'); it.src = '${trap}/image'; });
Promise.all([...asks, image]).then((all) => {
  document.getElementById('result').textContent = JSON.stringify({ ...tried, own: all[0], fetch: all[1], image: all[2] });
});
alert('spy');
</script>`;
}

function makeHostileTexts(payloads: readonly string[]): SampleFile[] {
  const all = payloads.join('\n\n');
  const file = (filename: string, type: string, content: string): SampleFile => ({ filename, type, content });
  const slides = payloads.map(
    (payload) => `<section id="s1"><div class="stage">${payload}</div><aside>${payload}</aside></section>`,
  );
  const ground = `<style>*{background:url(${trap}/deck)}</style>`;
  return [
    file('hostile.md', 'text/markdown', all),
    file('hostile.html', 'text/html', `<!doctype html><h1>Hostile page</h1>${all}`),
    file('deck.html', 'text/html', `<!doctype html>${ground}<main>${slides.join('')}</main>`),
    file('spy.html', 'text/html', spyPage()),
    file('hostile.json', 'application/json', JSON.stringify(Object.fromEntries(payloads.map((one) => [one, one])))),
    file('hostile.csv', 'text/csv', payloads.map((payload) => `"${payload.replaceAll('"', '""')}",x`).join('\n')),
    file('hostile.ts', 'text/plain', all),
  ];
}

/** Leaves time for what begins late: focus, animations, reloads. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 250)))');
}

async function visit(web: WebUnderTest, path: string, context = web.context): Promise<void> {
  const page = await web.open(path, context);
  await page.getByRole('heading').first().waitFor();
  await rest(page);
  await page.close();
}

const pages = [
  ...[
    '/',
    '/library',
    '/agent',
    '/projects',
    '/connectors',
    '/skills',
    '/inbox',
    '/schedules',
    '/triggers',
    '/recipes',
    '/memory',
    '/usage',
    '/team',
  ],
  ...['/developers', '/developers/keys', '/developers/apps', '/developers/webhooks', '/developers/requests'],
  ...['/developers/reference', '/developers/reference/task.create'],
  ...[
    '/settings',
    '/settings/connections',
    '/settings/chats',
    '/settings/sessions',
    '/instance/models',
    '/instance',
    '/instance/tasks',
    '/instance/accounts',
    '/instance/record',
  ],
];

/** Looks at files one after another, as people do, until each is shown or said to be unfit. */
async function lookAtAll(page: Page, names: readonly string[], look?: (name: string) => Promise<void>): Promise<void> {
  // All of them at once, without scrolling.
  await page.setViewportSize({ width: 1280, height: 1800 });
  for (const name of names) {
    await page.getByRole('link', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const waiting = dialog.getByText(/^(Loading|Creating) preview…$/).filter({ visible: true });
    await waiting.first().waitFor({ state: 'detached' });
    await rest(page);
    await look?.(name);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
}

/** What a browser and the service counted in the whole run must be nothing. */
async function expectNothing(web: WebUnderTest): Promise<void> {
  const metrics = await (await fetch(`${web.base}/metrics`)).text();
  expect({ ...web.troubles, hits, reports: /^errand_csp_reports_total (\d+)$/m.exec(metrics)?.[1] }).toEqual({
    ...{ errors: [], dialogs: [], strangers: [], violations: [] },
    hits: [],
    reports: '0',
  });
}

const outbound = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true' };

it('no text by agents or people runs in the application’s origin, on any page', async () => {
  await using web = await WebUnderTest.start(outbound);
  const payloads = listPayloads(trap);
  expect(payloads.length).toBeGreaterThan(45);
  const oneLine = payloads.map((payload) => payload.replaceAll('\n', ' '));
  await using server = await McpServerUnderTest.start();
  server.controls.addAbout = payloads.join('\n');
  const refused = await fillHostileAccount(web, payloads, { receiver: trap, server: server.url });
  expect(refused).toContain('app.create');
  const texts = makeHostileTexts(payloads);
  const named = payloads.slice(0, 12).map((payload, index) => ({
    filename: `${payload.replaceAll(/[/\\]/g, '_')}${index}.txt`,
    type: 'text/plain',
    content: payload,
  }));
  for (const title of oneLine.slice(0, 8)) await web.runTask([`say ${title}`], [], { title });
  const site = payloads.slice(0, 20).join('').replaceAll('\n', ' ');
  const taskId = await web.runTask(
    [
      `plan ${oneLine
        .slice(0, 5)
        .map((step) => step.replaceAll(';', ','))
        .join('; ')}`,
      'read attachments/hostile.ts',
      `write site/index.html with <!doctype html><title>${site}</title><h1>Shop</h1>${site}`,
      'site site',
      ...texts.map(({ filename }) => `deliver attachments/${filename}`),
      ...oneLine.map((payload) => `say ${payload}`),
    ],
    [...texts, ...named],
    { title: oneLine[7], share_visibility: 'public' },
  );
  const { task } = (await web.call('task.detail', { task_id: taskId })) as { task: { share_url: string } };
  const said = (await web.call('task.comment', { task_id: taskId, text: payloads.join('\n').slice(0, 4000) })).comment as {
    id: string;
  };
  const [project] = (await web.call('project.list')).data as { id: string }[];
  const [webhook] = (await web.call('webhook.list')).data as { id: string }[];
  for (const path of [
    ...pages,
    `/app/${taskId}`,
    `/app/${taskId}#comment-${said.id}`,
    `/projects/${project?.id}`,
    `/developers/webhooks/${webhook?.id}`,
  ]) {
    await visit(web, path);
  }
  await visit(web, new URL(task.share_url).pathname, await web.newVisitor());
  const page = await web.open('/library?view=list');
  await lookAtAll(
    page,
    texts.map(({ filename }) => filename),
    async (name) => {
      if (name !== 'spy.html') return;
      await page.getByRole('button', { name: 'Run scripts' }).click();
      const result = page.frameLocator('iframe').locator('#result', { hasNotText: 'waiting' });
      const answer = JSON.parse((await result.textContent()) ?? '') as Record<string, string>;
      expect(new Set(Object.values(answer)), JSON.stringify(answer)).toEqual(new Set(['refused']));
    },
  );
  await expectNothing(web);
  // The payloads are live: a page that takes them as they are runs them and asks the trap, here one of its own.
  const control = await openTrap();
  const context = await web.browser.newContext();
  const naked = await context.newPage();
  const dialogs: string[] = [];
  naked.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await naked.goto(`${control.origin}/plain`, { waitUntil: 'commit' });
  await expect.poll(() => dialogs.length > 3 && control.hits.length > 3).toBe(true);
  await context.close();
  control.close();
});

it('nothing in documents, pictures, or sound runs, makes requests, or exhausts the page', async () => {
  await using web = await WebUnderTest.start(outbound);
  const payloads = listPayloads(trap);
  const documents = await makeHostileDocuments(payloads, trap);
  const media = makeHostileMedia(payloads, trap);
  const bombs = await makeOfficeBombs();
  const files = [...documents, ...media, ...bombs];
  await web.runTask(
    files.map(({ filename }) => `deliver attachments/${filename}`),
    files,
  );
  await visit(web, '/library');
  const page = await web.open('/library?view=list');
  const seen: Record<string, string> = {};
  await lookAtAll(
    page,
    files.map(({ filename }) => filename),
    async (name) => {
      seen[name] = ((await page.getByRole('dialog').textContent()) ?? '').slice(0, 20_000);
    },
  );
  // Without an office program the browser renders presentations.
  const refusal = { status: 412, headers: { 'access-control-allow-origin': '*' }, body: '' };
  await page.route('**/files/*as=pdf', (route) => route.fulfill(refusal));
  await page.reload();
  await lookAtAll(page, ['hostile.pptx', 'entities.pptx', 'huge.pptx', 'zeros.pptx']);
  for (const [name, text] of Object.entries(seen)) expect([name, text]).toEqual([name, expect.not.stringContaining('root:x:')]);
  await expectNothing(web);
});
