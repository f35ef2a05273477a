import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { BrowserUnderTest, type BrowserTask, hasBrowser } from '../../../test/support/tools/browser-under-test.ts';

const page = `<!doctype html><title>Shop</title><h1 id="h">Loading</h1>
<form action="/found"><label>Search <input name="q"></label><button>Go</button></form>
<a href="/file.txt" download>The file</a><a href="/new" target="_blank">New window</a>
<script>
document.getElementById('h').textContent = 'Ready ' + 6 * 7;
for (const host of ['private.test', '169.254.169.254']) fetch('http://' + host + '/leak', { mode: 'no-cors' }).catch(() => {});
try { const x = new XMLHttpRequest(); x.open('GET', 'file:///etc/passwd', false); x.send(); document.title = 'leak ' + x.responseText; } catch {}
</script>`;

const controls = `<!doctype html><title>Controls</title>
<select aria-label="Color"><option>red<option>blue</select><label><input type="checkbox"> Agree</label>
<label>Secret <input type="password"></label><input aria-label="Keys" onkeydown="out.textContent += event.key + ' '"><p id="out"></p>
<button onclick="out.textContent = \`\${prompt('Name?')} \${confirm('Sure?')}\`">Ask</button>
<button onclick="setTimeout(() => out.textContent = 'arrived', 300)">Later</button>
<div style="height:3000px" onmouseover="out.textContent = 'hovered'">Tall</div><p>Bottom</p>
<label>Files <input type="file" multiple onchange="out.textContent = [...this.files].map((one) => one.name + one.size)"></label>
<iframe srcdoc="<button onclick='document.title = 1; this.textContent = \`Pressed\`'>Framed</button>"></iframe>
<div id="host"></div><script>
host.attachShadow({ mode: 'open' }).innerHTML = '<button onclick="this.textContent = 1 + 1">Shadowed</button>';
</script>`;

let browser: BrowserUnderTest;
let task: BrowserTask;

beforeAll(async () => {
  if (!hasBrowser) return;
  browser = await BrowserUnderTest.open((request, response) => {
    if (request.url === '/file.txt') response.writeHead(200, { 'content-disposition': 'attachment' }).end('the content');
    else if (request.url === '/controls') return controls;
    else if (request.url?.startsWith('/found')) return `<title>Found</title>You asked for ${request.url}`;
    else if (request.url === '/new')
      // A window that appears late is followed all the same.
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>New</title>another window'), 1000);
    else return page;
    return null;
  });
  task = browser.task();
});

afterAll(() => browser?.close());

afterEach(() => {
  browser?.requests.splice(0);
});

const refOf = (text: string, name: string) => new RegExp(`"${name}".* \\[ref=(\\w+)\\]`).exec(text)?.[1] ?? 'none';

describe.skipIf(!hasBrowser)('use_browser', () => {
  it('runs the scripts of a page, types, clicks, takes screenshots and downloads, and reaches nothing private', async () => {
    const show = (name: string, picture: Uint8Array) => Promise.resolve({ blobId: 'b', bytes: picture.length, name });
    const actions = [
      { do: 'open', url: `${browser.site}/` },
      { do: 'screenshot', path: 'shots/one.png' },
      { do: 'download', target: 'The file', path: 'got/file.txt' },
      { do: 'type', target: 'Search', text: 'blue whales', submit: true },
    ];
    const { status, output, pictures } = await task.browse(actions, { show });
    expect(pictures).toMatchObject([{ name: 'shots/one.png' }]);
    expect(output).toContain('You asked for /found?q=blue+whales');
    expect(status).toBe('success');
    expect(output).toContain(`Found (${browser.site}/found?q=blue+whales)`);
    expect((await task.workspace.read('got/file.txt')).toString()).toBe('the content');
    expect((await task.workspace.read('shots/one.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(browser.requests.filter((line) => line.includes('leak'))).toEqual([]);
    expect(output).not.toContain('root:');
  });

  it('goes on with the page as the call before left it, and follows a new window', async () => {
    expect(await task.see({ do: 'open', url: `${browser.site}/` })).toContain('- heading "Ready 42"');
    const typed = await task.see({ do: 'type', target: 'Search', text: 'half a word' });
    expect(typed).toMatch(/- textbox "Search" .*: half a word\n.*button "Go"/);
    expect(await task.see({ do: 'click', target: 'New window' })).toMatch(/- 2: New .*shown below[^]*another window/);
    expect(await task.see({ do: 'close_tab' })).toMatch(/Ready 42[^]*: half a word/);
  });

  it('reports what could not be done and shows the current page', async () => {
    const { status, output } = await task.browse([
      { do: 'open', url: `${browser.site}/` },
      { do: 'click', target: 'No such button' },
      { do: 'back' },
    ]);
    expect(status).toBe('error');
    expect(output).toContain('- not done: click: nothing on the page is called "No such button"');
    expect(output).toContain('Ready 42');
    expect(await task.see({ do: 'open', url: `${browser.site}/file.txt` })).toContain(
      'this is a file, not a page; fetch_url reads it',
    );
    expect(await task.see({ do: 'open', url: 'http://private.test/' })).toMatch(/status 403[^]*not public/);
  });

  it('selects, checks, presses, hovers, scrolls, waits, uploads, evaluates, and answers dialogs', async () => {
    await task.workspace.write('up/a.txt', 'abc');
    const first = await task.see(
      { do: 'open', url: `${browser.site}/controls` },
      { do: 'select', target: 'Color', values: ['blue'] },
      { do: 'check', target: 'Agree' },
      { do: 'type', target: 'Secret', text: 'hush-hush' },
      { do: 'click', target: 'Keys' },
      { do: 'press', keys: 'ArrowDown' },
      { do: 'press', keys: 'a', target: 'Keys' },
    );
    expect(first).toMatch(/option "blue" \[selected\]/);
    expect(first).toMatch(/checkbox "Agree" \[checked\]/);
    expect(first).toContain('paragraph: ArrowDown a');
    expect(first).not.toContain('hush-hush');
    const asked = await task.see({ do: 'click', target: 'Ask' });
    expect(asked).toMatch(
      /a dialog \(prompt\) said "Name\?" and was declined; \{"do": "dialog", "accept": true\} before[^]*null false/,
    );
    expect(await task.see({ do: 'dialog', accept: true, text: 'Ada' }, { do: 'click', target: 'Ask' })).toContain('Ada true');
    expect(await task.see({ do: 'click', target: 'Later' }, { do: 'wait', text: 'arrived' })).toContain('- "arrived" is shown');
    expect(await task.see({ do: 'hover', target: 'Tall' })).toContain('hovered');
    const scrolled = await task.see({ do: 'scroll', target: 'Bottom' }, { do: 'evaluate', expression: 'scrollY > 100' });
    expect(scrolled).toContain('- the expression is true');
    expect(await task.see({ do: 'upload', target: 'Files', paths: ['up/a.txt'] })).toContain('a.txt3');
    const small = await task.see(
      { do: 'viewport', width: 390, height: 700 },
      { do: 'evaluate', expression: '[innerWidth, innerHeight]' },
    );
    expect(small).toContain('the expression is [390,700]');
  });

  it('acts on references, also in frames and open shadow roots, as long as the element is there', async () => {
    const seen = await task.see({ do: 'open', url: `${browser.site}/controls` });
    const [framed, shadowed] = [refOf(seen, 'Framed'), refOf(seen, 'Shadowed')];
    const pressed = await task.see({ do: 'click', target: framed }, { do: 'click', target: shadowed });
    expect(pressed).toContain('button "Pressed"');
    expect(pressed).toContain('button "2"');
    expect(refOf(pressed, 'Later')).toBe(refOf(seen, 'Later'));
    await task.see({ do: 'evaluate', expression: 'document.querySelector("select").remove()' });
    expect(await task.see({ do: 'hover', target: refOf(seen, 'Color') })).toMatch(
      /not done: hover: \w+ is not on the page any more/,
    );
    const part = await task.see({ do: 'look', target: refOf(pressed, 'Later') });
    expect(part.split('\n').filter((line) => line.startsWith('- button'))).toHaveLength(1);
  });

  it('opens pages of the workspace with what they load, and none of what is outside it', async () => {
    await task.workspace.write(
      'shop/index.html',
      '<title>Mine</title><link rel=stylesheet href="/css/a.css"><p id=p><a href="pages/two.html">Two</a>',
    );
    await task.workspace.write('shop/css/a.css', 'p { color: rgb(1, 2, 3) }');
    await task.workspace.write('shop/pages/two.html', '<p>second</p><script src="../two.js"></script>');
    await task.workspace.write('shop/two.js', 'document.write("scripted")');
    const opened = await task.browse([
      { do: 'open', url: 'shop/index.html' },
      { do: 'evaluate', expression: 'getComputedStyle(p).color' },
      { do: 'click', target: 'Two' },
    ]);
    expect(opened.output).toContain('the expression is "rgb(1, 2, 3)"');
    expect(opened.output).toMatch(/second[^]*scripted/);
    expect(opened.readsFiles).toBe(true);
    await task.shell('ln -s /etc/passwd shop/passwd');
    expect(await task.see({ do: 'open', url: 'shop/passwd' })).toMatch(/status 404/);
    // A stranger's page can neither read nor embed them.
    const probe = `fetch('http://workspace.localhost/shop/two.js', { mode: 'no-cors' }).then((one) => one.type + one.status)`;
    await task.see({ do: 'open', url: `${browser.site}/` });
    const framed = `new Promise((done) => { const one = document.createElement('script'); one.src = 'http://workspace.localhost/shop/two.js'; one.onload = () => done('loaded'); one.onerror = () => done('refused'); document.head.append(one); })`;
    expect(await task.see({ do: 'evaluate', expression: framed })).toContain('the expression is "refused"');
    expect(await task.see({ do: 'evaluate', expression: probe })).not.toContain('200');
    for (const url of ['file:///etc/passwd', 'view-source:http://x.test/', 'chrome://version', '../x.html', 'data:text/html,x']) {
      expect(() => task.browse([{ do: 'open', url }]), url).toThrow(/neither an address/);
    }
  });

  it('reaches a server of its own sandbox by localhost, and neither the machine nor the server of another task', async () => {
    await task.shell('echo "<title>Served</title>by the task" >served.html; python3 -um http.server 8123', { background: true });
    await task.shell('until (: <>/dev/tcp/127.0.0.1/8123) 2>/dev/null; do :; done');
    expect(await task.see({ do: 'open', url: 'http://localhost:8123/served.html' })).toContain('by the task');
    expect(await task.see({ do: 'open', url: '127.0.0.1:8123/served.html'.replace('127.0.0.1', 'localhost') })).toContain(
      'by the task',
    );
    expect(await task.see({ do: 'open', url: `http://127.0.0.1:${browser.port}/` })).toMatch(
      /nothing in the sandbox of this task answers/,
    );
    const stranger = browser.task('a2', 't2');
    expect(await stranger.see({ do: 'open', url: 'http://localhost:8123/' })).toMatch(/status 502[^]*no program runs/);
    await stranger.shell('true');
    expect(await stranger.see({ do: 'open', url: 'http://localhost:8123/' })).toMatch(/nothing in the sandbox of this task/);
    expect(browser.requests).toEqual([]);
  });

  it('checks for each host whether the task may reach it, and ends with its signal', async () => {
    const egressGuard = {
      ...toolContext(task.workspace).egressGuard,
      refuseAddress: (url: string) => (url.includes('site.test') ? null : `not ${url}`),
      refuseHost: ({ host }: { host: string }) => `${host} is closed`,
    };
    const closed = browser.task('a1', 'closed');
    await expect(closed.browse([{ do: 'open', url: 'http://other.test/' }], { egressGuard })).rejects.toThrow(
      'not http://other.test/',
    );
    expect((await closed.browse([{ do: 'open', url: `${browser.site}/` }], { egressGuard })).output).toContain(
      'site.test is closed',
    );
    expect(browser.requests).toEqual([]);
    const stop = new AbortController();
    const running = task.browse(
      [
        { do: 'open', url: `${browser.site}/` },
        { do: 'wait', seconds: 15 },
      ],
      { signal: stop.signal },
    );
    while (browser.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });
});
