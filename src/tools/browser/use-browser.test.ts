import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { createSafeConnect } from '@errand/base/net/safe-connect.ts';
import { findBrowser } from '@errand/sandbox/programs';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';
import type { ToolContext } from '../toolbox/tool.ts';
import { createUseBrowser } from './use-browser.ts';

const connect = createSafeConnect({
  allow: ['127.0.0.1/32'],
  clock: systemClock,
  lookup: (host) => Promise.resolve([host === 'site.test' ? '127.0.0.1' : '10.1.2.3']),
});
const { sandbox } = await openSandbox({ clock: systemClock, connect });
const program = findBrowser();

let server: Server;
let site: string;
let workspace: Workspace;
const seen: string[] = [];

const page = `<!doctype html><title>Shop</title><h1 id="h">Loading</h1>
<form action="/found"><label>Search <input name="q"></label><button>Go</button></form>
<a href="/file.txt" download>The file</a><a href="/new" target="_blank">New window</a>
<script>
document.getElementById('h').textContent = 'Ready ' + 6 * 7;
for (const host of ['private.test', '169.254.169.254']) fetch('http://' + host + '/leak', { mode: 'no-cors' }).catch(() => {});
try { const x = new XMLHttpRequest(); x.open('GET', 'file:///etc/passwd', false); x.send(); document.title = 'leak ' + x.responseText; } catch {}
</script>`;

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.headers.host} ${request.url}`);
    if (request.url === '/file.txt') response.writeHead(200, { 'content-disposition': 'attachment' }).end('the content');
    else if (request.url === '/set')
      response.writeHead(200, { 'set-cookie': 'visited=yes; Max-Age=999', 'content-type': 'text/html' }).end('set');
    else if (request.url === '/cookie')
      response.writeHead(200, { 'content-type': 'text/html' }).end(`cookie: ${request.headers.cookie}`);
    else if (request.url?.startsWith('/found'))
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Found</title>You asked for ${request.url}`);
    else if (request.url === '/new')
      // A window that appears late is followed all the same.
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>New</title>another window'), 1000);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://site.test:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await sandbox?.close();
});

beforeEach(() => {
  workspace = openWorkspace(createFolder('browser'));
  seen.length = 0;
});

afterEach(() => removeFolder(workspace.root));

function browse(actions: readonly Record<string, unknown>[], changes: Partial<ToolContext> = {}) {
  if (!sandbox || program === null) throw new Error('there is no browser');
  const tool = createUseBrowser({ sandbox, program, log: silentLog });
  return tool.run(tool.input.parse({ actions }), toolContext(workspace, changes));
}

describe.skipIf(!sandbox || program === null)('use_browser', () => {
  it('runs the scripts of a page, types, clicks, takes screenshots and downloads, and reaches nothing private', async () => {
    const show = (name: string, picture: Uint8Array) => Promise.resolve({ blobId: 'b', bytes: picture.length, name });
    const actions = [
      { do: 'open', url: `${site}/` },
      { do: 'screenshot', path: 'shots/one.png' },
      { do: 'download', target: 'The file', path: 'got/file.txt' },
      { do: 'type', target: 'Search', text: 'blue whales', submit: true },
    ];
    const { status, output, pictures } = await browse(actions, { show });
    expect(pictures).toMatchObject([{ name: 'shots/one.png' }]);
    expect(output).toContain('You asked for /found?q=blue+whales');
    expect(status).toBe('success');
    expect(output).toContain(`Found (${site}/found?q=blue+whales)`);
    expect((await workspace.read('got/file.txt')).toString()).toBe('the content');
    expect((await workspace.read('shots/one.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(seen.filter((line) => line.includes('leak'))).toEqual([]);
    expect(output).not.toContain('root:');
  });

  it('resumes on its page, with its cookies, and follows a new window', async () => {
    const first = await browse([
      { do: 'open', url: `${site}/set` },
      { do: 'open', url: `${site}/` },
    ]);
    expect(first.output).toContain('Ready 42');
    expect(first.output).toMatch(/- field "Search"\n- button "Go"\n- link "The file"/);
    const second = await browse([{ do: 'click', target: 'New window' }]);
    expect(second.output).toContain('another window');
    expect((await browse([{ do: 'open', url: `${site}/cookie` }])).output).toContain('cookie: visited=yes');
  });

  it('reports what could not be done and shows the current page', async () => {
    const { status, output } = await browse([
      { do: 'open', url: `${site}/` },
      { do: 'click', target: 'No such button' },
      { do: 'back' },
    ]);
    expect(status).toBe('error');
    expect(output).toContain('- not done: click: nothing on the page is called "No such button"');
    expect(output).toContain('Ready 42');
    expect((await browse([{ do: 'open', url: 'http://private.test/' }])).output).toMatch(/status 403[^]*not public/);
  });

  it('checks for each host whether the task may reach it, and ends with its signal', async () => {
    const egressGuard = {
      ...toolContext(workspace).egressGuard,
      refuseAddress: (url: string) => (url.includes('site.test') ? null : `not ${url}`),
      refuseHost: ({ host }: { host: string }) => `${host} is closed`,
    };
    await expect(browse([{ do: 'open', url: 'http://other.test/' }], { egressGuard })).rejects.toThrow('not http://other.test/');
    expect((await browse([{ do: 'open', url: `${site}/` }], { egressGuard })).output).toContain('site.test is closed');
    expect(seen).toEqual([]);
    const stop = new AbortController();
    const running = browse(
      [
        { do: 'open', url: `${site}/` },
        { do: 'wait', seconds: 15 },
      ],
      { signal: stop.signal },
    );
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });
});
