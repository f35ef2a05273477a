import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { eventually, isEnd, type Json, ServiceClient } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';
import { TestBrowser } from './chromium.ts';
import { HttpListener } from './http-listener.ts';
import { attackScript, makeHostileFiles } from './hostile-files.ts';

const owner = { email: 'ann@example.com', password: 'a long password of ann' };

/** What a script that ran has told: where it ran, and what of the application it got hold of. */
type Report = Record<string, string>;

/** Receives reports from payloads, and serves a third-party page that embeds given URLs. */
class Outside extends HttpListener {
  readonly reports: Report[] = [];

  constructor() {
    super((request, response) => {
      const { searchParams, pathname } = new URL(request.url ?? '/', 'http://outside');
      if (pathname === '/page') {
        const urls = searchParams.getAll('url').map((url) => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;'));
        const embedded = urls.flatMap((url) => [
          `<iframe src="${url}"></iframe>`,
          `<object data="${url}"></object>`,
          `<embed src="${url}">`,
          `<img src="${url}">`,
        ]);
        response.setHeader('content-type', 'text/html').end(`<!doctype html><title>outside</title>${embedded.join('')}`);
        return;
      }
      if (searchParams.has('id')) this.reports.push(Object.fromEntries(searchParams));
      response.setHeader('access-control-allow-origin', '*').end();
    });
  }
}

const outside = new Outside();
let service: LocalService;
let model: ModelServer;
let client: ServiceClient;
let browser: TestBrowser;
let signedIn: BrowserContext;

beforeAll(async () => {
  await outside.listen();
  model = await startModelServer();
  service = await LocalService.start({
    env: {
      ERRAND_BOOTSTRAP_EMAIL: owner.email,
      ERRAND_BOOTSTRAP_PASSWORD: owner.password,
      ERRAND_MODEL: 'compatible/mock',
      ERRAND_MODEL_BASE_URL: model.openaiUrl,
    },
  });
  client = new ServiceClient(service);
  browser = await TestBrowser.open();
  // The person who opens all this is signed in at the application.
  signedIn = await browser.newContext();
  const page = await signedIn.newPage();
  await page.goto(`${service.url}/sign-in`);
  await page.fill('input[name=email]', owner.email);
  await page.fill('input[name=password]', owner.password);
  await page.click('button[type=submit], button:not([type])');
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  await page.close();
  if ((await signedIn.cookies()).length === 0) throw new Error('nobody is signed in');
});

afterAll(async () => {
  await browser.end();
  await service.end();
  await model.stop();
  outside.close();
});

/** Opens an address and waits until it is quiet: shown, or offered as a download. */
async function visit(url: string, act?: (page: Page) => Promise<void>): Promise<'shown' | 'download'> {
  const page = await signedIn.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss());
  try {
    const download = page.waitForEvent('download', { timeout: 15_000 }).then(
      () => 'download' as const,
      () => 'shown' as const,
    );
    const loaded = page.goto(url, { waitUntil: 'load', timeout: 15_000 }).then(
      () => 'shown' as const,
      () => download,
    );
    const outcome = await Promise.race([loaded, download]);
    if (outcome === 'shown') {
      // A script that may run has run by now, or it never does: what it waits for longest takes a second and a half.
      await page.mouse.click(20, 20).catch(() => undefined);
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
      await act?.(page);
    }
    return outcome;
  } finally {
    await page.close();
  }
}

/** Opens a third-party page that embeds these addresses in every way, and leaves it once it is quiet. */
async function embed(urls: readonly string[]): Promise<void> {
  const page = await signedIn.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss());
  try {
    const query = new URLSearchParams(urls.map((url): [string, string] => ['url', url]));
    await page.goto(`${outside.url}/page?${query.toString()}`, { waitUntil: 'load', timeout: 0 });
    await page.mouse.click(20, 20);
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  } finally {
    await page.close();
  }
}

/** Lists of at most eight, as many as one page embeds. */
function group(urls: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(urls.length / 8) }, (_, index) => urls.slice(index * 8, index * 8 + 8));
}

/** Several at once, each in a separate page. */
async function forEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: 5 }, work));
}

/** What a report says that its script got hold of, besides having run where nobody lives. */
function stolen({ origin, id: _id, ...found }: Report): Json {
  return { ...(origin === 'null' ? {} : { origin }), ...found };
}

interface Sent {
  filename: string;
  url: string;
}

async function attachmentsOf(taskId: string, type: string): Promise<Sent[]> {
  const { messages } = (await client.ask('task.listMessages', { task_id: taskId, limit: 200 })) as { messages: Json[] };
  return messages.flatMap((event) => (event[type] as { attachments?: Sent[] } | undefined)?.attachments ?? []);
}

describe('uploaded files', () => {
  it('run no script, however they are opened: 39 files, each alone and inside third-party pages', async () => {
    const files = makeHostileFiles(outside.url, service.url);
    const sent: { id: string; url: string }[] = [];
    for (const { id, filename, mimeType, content } of files) {
      const file_data = `data:${mimeType ?? 'application/octet-stream'};base64,${Buffer.from(content).toString('base64')}`;
      const part = { type: 'file', filename, file_data, ...(mimeType !== undefined && { mime_type: mimeType }) };
      const { task_id: taskId } = await client.ask('task.create', { message: { content: [part] }, title: filename });
      const [attachment] = await attachmentsOf(String(taskId), 'user_message');
      sent.push({ id, url: attachment?.url ?? '' });
    }
    expect(sent).toHaveLength(39);
    const outcomes: Record<string, number> = {};
    await forEach(sent, async ({ url }) => {
      expect(url).toMatch(/^http/);
      const outcome = await visit(url);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    });
    await forEach(group(sent.map(({ url }) => url)), embed);
    expect(outside.reports).toEqual([]);
    // Most are not even shown.
    expect(outcomes['download']).toBeGreaterThan(20);
  });

  it('are served without an identity: no cookie is set or needed, and a script cannot include them', async () => {
    const part = {
      type: 'file',
      filename: 'code.js',
      file_data: `data:text/javascript;base64,${Buffer.from('alert(1)').toString('base64')}`,
    };
    const { task_id: taskId } = await client.ask('task.create', { message: { content: [part] } });
    const [attachment] = await attachmentsOf(String(taskId), 'user_message');
    const answer = await fetch(attachment?.url ?? '');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
  });
});

describe('files that agents make from hostile text', () => {
  const script = () => attackScript('made', outside.url, service.url);
  const words = () =>
    `</title></script><script>${script()}</script><img src=x onerror="eval(atob('${Buffer.from(script()).toString('base64')}'))">`;

  /** A task whose agent makes and delivers everything with these words, and a site that attacks. */
  async function make(): Promise<string> {
    const text = words();
    const link = `[go](javascript:${encodeURIComponent(script())})`;
    const chart = { type: 'bar', title: text, labels: [text], series: [{ name: text, values: [1] }] };
    const site = {
      'index.html': `<!doctype html><title>x</title><script>${attackScript('site-inline', outside.url, service.url)}</script><script type="module" src="own.js"></script><iframe src="inner.html"></iframe>`,
      'inner.html': `<!doctype html><script>${attackScript('site-frame', outside.url, service.url)}</script>`,
      'own.js': attackScript('site-module', outside.url, service.url),
      'top.html': `<!doctype html><script>try { top.location = '${service.url}/settings' } catch {} ${attackScript('site-top', outside.url, service.url)}</script>`,
      '404.html': `<!doctype html><script>${attackScript('site-missing', outside.url, service.url)}</script>`,
      'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script>//<![CDATA[\n${attackScript('site-svg', outside.url, service.url)}\n//]]></script></svg>`,
    };
    const steps = [
      ...Object.entries(site).map(([name, content]) => ({
        calls: [{ tool: 'write_file', input: { path: `site/${name}`, content } }],
      })),
      {
        calls: [
          {
            tool: 'make_document',
            input: {
              files: ['a.pdf', 'a.docx', 'a.md', 'a.txt'],
              title: 'x',
              markdown: `# ${text}\n\n${link}\n\n| a |\n|---|\n| ${text.replaceAll('|', '')} |`,
            },
          },
        ],
      },
      {
        calls: [
          {
            tool: 'make_slides',
            input: {
              path: 'deck',
              title: text.slice(0, 150),
              slides: [
                { layout: 'title', title: 'x', subtitle: text.slice(0, 200) },
                {
                  layout: 'bullets',
                  title: '<script>1</script>',
                  bullets: [link.slice(0, 200), '<img src=x onerror=alert(1)>'],
                  notes: text,
                },
                { layout: 'table', title: 't', table: { columns: ['<b>'], rows: [['<script>alert(1)</script>']] } },
              ],
            },
          },
        ],
      },
      {
        calls: [
          {
            tool: 'make_spreadsheet',
            input: {
              files: ['a.xlsx', 'a.csv'],
              sheets: [{ name: 'S', columns: [{ header: '<script>' }], rows: [[text.slice(0, 500)], ['=1+1']] }],
            },
          },
        ],
      },
      {
        calls: [
          {
            tool: 'make_chart',
            input: {
              path: 'chart.svg',
              ...chart,
              title: '<script>alert(1)</script>',
              labels: ['<b>'],
              series: [{ name: '"><script>', values: [1] }],
            },
          },
        ],
      },
      {
        calls: [
          {
            tool: 'deliver',
            input: {
              files: [
                'a.pdf',
                'a.docx',
                'a.md',
                'a.txt',
                'deck.html',
                'a.xlsx',
                'a.csv',
                'chart.svg',
                'site/index.html',
                'site/picture.svg',
              ].map((path) => ({ path, name: `<script>alert(1)</script>${path}` })),
            },
          },
        ],
      },
      { calls: [{ tool: 'publish_website', input: { folder: 'site', title: '<script>alert(1)</script>' } }] },
      { text: text.slice(0, 2000) },
    ];
    await model.script([{ match: 'Make them', steps }]);
    const taskId = await client.createTask('Make them.');
    await client.follow(taskId, isEnd);
    const { messages } = (await client.ask('task.listMessages', { task_id: taskId, limit: 200, verbose: true })) as {
      messages: Json[];
    };
    const failed = messages.flatMap(({ tool_used: used }) =>
      (used as Json | undefined)?.['status'] === 'error' ? [(used as Json)['description']] : [],
    );
    expect(failed).toEqual([]);
    return taskId;
  }

  it('show it as text: documents, decks, sheets, charts, and their names run nothing, here or opened elsewhere', async () => {
    const taskId = await make();
    const delivered = await attachmentsOf(taskId, 'assistant_message');
    expect(delivered.map(({ filename }) => filename).toSorted()).toEqual(
      ['a.csv', 'a.docx', 'a.md', 'a.pdf', 'a.txt', 'a.xlsx', 'chart.svg', 'deck.html', 'index.html', 'picture.svg'].toSorted(),
    );
    const covers = ((await client.ask('artifact.list', { task_id: taskId })) as { data: Json[] }).data.flatMap(
      ({ cover_image }) => cover_image ?? [],
    );
    const shown = [...delivered.map((one) => one.url), ...covers.map(String)];
    await forEach(shown, async (url) => void (await visit(url)));
    await forEach(group(shown), embed);
    // A deck and a chart that people keep are opened from their own disks, where no header protects anybody.
    for (const name of ['deck.html', 'chart.svg']) {
      const body = await (await fetch(delivered.find(({ filename }) => filename === name)?.url ?? '')).text();
      const page = await signedIn.newPage();
      const contentType = name.endsWith('.svg') ? 'image/svg+xml' : 'text/html';
      await page.route('http://kept.test/**', (route) => route.fulfill({ body, contentType }));
      await page.goto('http://kept.test/file');
      await page.keyboard.press('ArrowRight');
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
      await page.close();
    }
    expect(outside.reports).toEqual([]);
  });

  it('the scripts of a website run, but reach no cookies, no storage, not the application, and not the page that opened them', async () => {
    const { data } = (await client.ask('artifact.list', { type: 'website' })) as { data: { id: string; task_id: string }[] };
    const websiteId = data[0]?.id ?? '';
    const addresses: string[] = [];
    for (const visibility of ['public', 'private']) {
      if (visibility === 'public') await client.ask('website.publish', { website_id: websiteId });
      else await client.ask('website.update', { website_id: websiteId, visibility });
      const url = await eventually('the site is published', async () => {
        const status = await client.ask('website.status', { website_id: websiteId });
        const [first] = status['site_urls'] as string[];
        return status['publish_status'] === 'published' && first !== undefined ? first : null;
      });
      addresses.push(url);
    }
    expect(new Set(addresses).size).toBe(2);
    await client.ask('website.update', { website_id: websiteId, visibility: 'public' });
    const pages = ['', 'top.html', 'nowhere', 'picture.svg', 'inner.html'].map((path) => new URL(path, addresses[0]).href);
    await forEach(pages, async (url) => {
      await visit(url, (page) => page.waitForTimeout(1_700));
      await visit(`${outside.url}/page?url=${encodeURIComponent(url)}`, (page) => page.waitForTimeout(1_700));
    });
    const ran = new Set(outside.reports.map(({ id }) => id));
    for (const id of ['site-inline', 'site-module', 'site-frame', 'site-top', 'site-missing']) expect(ran).toContain(id);
    expect(outside.reports.map(stolen).filter((found) => Object.keys(found).length > 0)).toEqual([]);
  });
});
