import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeXlsx } from 'hucre/xlsx';
import { makeWordFile } from './preview-samples.ts';
import { type SampleFile, WebUnderTest } from './web-under-test.ts';
import { listPayloads } from './xss-payloads.ts';

/** A server of an attacker, which notes whatever reaches it. */
const hits: string[] = [];
let trapServer: Server;
let trap = '';

beforeAll(async () => {
  trapServer = createServer((request, response) => {
    if (request.url === '/plain') {
      response.setHeader('content-type', 'text/html').end(`<!doctype html>${listPayloads(trap).join('<hr>')}`);
      return;
    }
    hits.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end('alert("from the trap")');
  });
  await new Promise<void>((resolve) => trapServer.listen(0, '127.0.0.1', resolve));
  trap = `http://127.0.0.1:${(trapServer.address() as AddressInfo).port}`;
});

afterAll(() => {
  trapServer.close();
  trapServer.closeAllConnections();
});

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

function pdfWithScript(): string {
  const action = `<< /S /JavaScript /JS (app.alert\\('xss'\\); this.submitForm\\('${trap}/pdf'\\);) >>`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction ${action} /AA << /WC ${action} >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 300 200] /A ${action} >>] >>`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return `%PDF-1.7\n${body}trailer << /Root 1 0 R /Size 4 >>\n%%EOF`;
}

async function makeHostileFiles(payloads: readonly string[]): Promise<SampleFile[]> {
  const all = payloads.join('\n\n');
  const file = (filename: string, type: string, content: string | Uint8Array): SampleFile => ({ filename, type, content });
  const slides = payloads.map(
    (payload) => `<section id="s1"><div class="stage">${payload}</div><aside>${payload}</aside></section>`,
  );
  return [
    file('hostile.md', 'text/markdown', all),
    file('hostile.html', 'text/html', `<!doctype html><h1>Hostile page</h1>${all}`),
    file(
      'deck.html',
      'text/html',
      `<!doctype html><style>*{background:url(${trap}/deck)}</style><main>${slides.join('')}</main>`,
    ),
    file('spy.html', 'text/html', spyPage()),
    file(
      'hostile.svg',
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90" onload="alert('xss')"><script>alert('xss')</script><image href="${trap}/svg"/><rect width="90" height="90"/></svg>`,
    ),
    file('hostile.json', 'application/json', JSON.stringify(Object.fromEntries(payloads.map((payload) => [payload, payload])))),
    file('hostile.csv', 'text/csv', payloads.map((payload) => `"${payload.replaceAll('"', '""')}",x`).join('\n')),
    file('hostile.ts', 'text/plain', all),
    file('hostile.pdf', 'application/pdf', pdfWithScript()),
    file('hostile.docx', 'application/octet-stream', await makeWordFile(all.replaceAll('\n', ' '))),
    file(
      'hostile.xlsx',
      'application/octet-stream',
      await writeXlsx({
        sheets: [
          {
            name: `<img src=x onerror=alert(1)>`.slice(0, 31).replaceAll(/[:\\/?*[\]]/g, ''),
            rows: payloads.map((payload) => [payload]),
          },
        ],
      }),
    ),
    ...payloads
      .slice(0, 12)
      .map((payload, index) => file(`${payload.replaceAll(/[/\\]/g, '_')}${index}.txt`, 'text/plain', payload)),
  ];
}

/** Runs in a page of the application, after a Word file was shown, which needs an exception for XML that runs nothing. */
const trySinks = `(() => {
  const text = '<img src="data:," alt="x">';
  const element = document.createElement('div');
  const sinks = {
    innerHTML: () => { element.innerHTML = text; },
    outerHTML: () => { element.outerHTML = text; },
    insertAdjacentHTML: () => element.insertAdjacentHTML('beforeend', text),
    write: () => document.write(text),
    fragment: () => document.createRange().createContextualFragment(text),
    srcdoc: () => { document.createElement('iframe').srcdoc = text; },
    script: () => { document.createElement('script').src = '/assets/x.js'; },
    scriptText: () => { document.createElement('script').text = '1'; },
    worker: () => new Worker('/assets/x.js'),
    policy: () => trustedTypes.createPolicy('other', { createHTML: (given) => given }),
    policyAgain: () => trustedTypes.createPolicy('errand-workers', { createScriptURL: (given) => given }),
  };
  return Object.fromEntries(Object.entries(sinks).map(([name, act]) => {
    try { act(); return [name, 'done']; } catch (error) { return [name, error.name]; }
  }));
})()`;

/** Leaves time for what begins late: focus, animations, reloads. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 250)))');
}

it('nothing that agents or people wrote runs with the application’s origin, on any page', { timeout: 300_000 }, async () => {
  await using web = await WebUnderTest.start();
  const payloads = listPayloads(trap);
  expect(payloads.length).toBeGreaterThan(45);
  const oneLine = payloads.map((payload) => payload.replaceAll('\n', ' '));
  const files = await makeHostileFiles(payloads);
  const named = files.map(({ filename }) => filename);
  await web.call('project.create', { name: oneLine[0]?.slice(0, 100), instruction: payloads.join('\n') });
  const [agent] = (await web.call('agent.list')).data as { id: string }[];
  await web.call('agent.update', {
    agent_id: agent?.id,
    nickname: '<img src=x onerror=alert(1)>',
    about: payloads.join('\n').slice(0, 1000),
  });
  for (const title of oneLine.slice(0, 8)) await web.runTask([`say ${title}`], [], { title });
  const taskId = await web.runTask(
    [
      `plan ${oneLine
        .slice(0, 5)
        .map((step) => step.replaceAll(';', ','))
        .join('; ')}`,
      'read attachments/hostile.ts',
      ...files.slice(0, 11).map(({ filename }) => `deliver attachments/${filename}`),
      ...oneLine.map((payload) => `say ${payload}`),
    ],
    files,
    { title: oneLine[7], share_visibility: 'public' },
  );
  const { task } = (await web.call('task.detail', { task_id: taskId })) as { task: { share_url: string } };
  const pages = [
    '/',
    `/app/${taskId}`,
    '/library',
    '/agent',
    '/projects',
    '/connectors',
    '/skills',
    '/usage',
    '/developers',
    '/settings',
    '/team',
  ];
  for (const path of pages) {
    const page = await web.open(path);
    await page.getByRole('heading').first().waitFor();
    await rest(page);
    await page.close();
  }
  const visitor = await web.newVisitor();
  const shared = await web.open(new URL(task.share_url).pathname, visitor);
  await shared.getByRole('heading').first().waitFor();
  await rest(shared);
  const page = await web.open('/library?view=list');
  for (const name of named.slice(0, 11)) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await rest(page);
    if (name === 'spy.html') {
      await page.getByRole('button', { name: 'Run scripts' }).click();
      const result = page.frameLocator('iframe').locator('#result', { hasNotText: 'waiting' });
      const answer = JSON.parse((await result.textContent()) ?? '') as Record<string, string>;
      expect(new Set(Object.values(answer)), JSON.stringify(answer)).toEqual(new Set(['refused']));
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect({ ...web.troubles, strangers: [], hits }).toEqual({ errors: [], dialogs: [], strangers: [], violations: [], hits: [] });
  // What would make markup or a script of a text in the application's own code is refused by the browser itself.
  const sinks = await page.evaluate<Record<string, string>>(trySinks);
  expect(new Set(Object.values(sinks)), JSON.stringify(sinks)).toEqual(new Set(['TypeError']));
  // The payloads are live: a page that takes them as they are runs them and asks the trap.
  const naked = await (await web.browser.newContext()).newPage();
  const dialogs: string[] = [];
  naked.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await naked.goto(`${trap}/plain`, { waitUntil: 'commit' });
  await expect.poll(() => dialogs.length > 3 && hits.length > 3, { timeout: 30_000 }).toBe(true);
});
