import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { BrowserUnderTest, type BrowserTask, hasBrowser } from './browser-under-test.ts';

/** Pages that want to end, fill, or leave the browser. */
const pages: Record<string, string> = {
  '/alerts': '<title>Alerts</title><script>setTimeout(() => { for (;;) alert("again"); }, 50)</script>',
  '/popups': '<title>Popups</title><button onclick="for (let i = 0; i < 40; i += 1) window.open(`/calm?${i}`)">Open</button>',
  '/loop': '<title>Loop</title><button onclick="for (;;) {}">Hang</button>',
  '/memory': `<title>Memory</title><button onclick="const held = []; setInterval(() => { for (let i = 0; i < 8; i += 1)
    held.push(new Uint8Array(32 * 1024 * 1024).fill(1)); document.title = held.length * 32 + ' MB' }, 50)">Take all</button>`,
  '/giant': '<title>Giant</title><body><script>document.body.innerHTML = "<p>line of text</p>".repeat(25000)</script>',
  '/stay': '<title>Stay</title><button>Touch</button><script>onbeforeunload = (event) => event.preventDefault()</script>',
  '/offers':
    '<title>Offers</title><script>setInterval(() => { const a = document.createElement("a"); a.href = "/endless"; a.download = "x"; a.click(); }, 50); setTimeout(() => document.body.append("offered"), 1000)</script>',
  '/bomb': '<title>Bomb</title><a href="/endless" download>Take it</a>',
  '/worker':
    '<title>Worker</title><script>navigator.serviceWorker?.register("/sw.js").then(() => document.title = "registered", () => document.title = "refused")</script>',
  '/leaks': `<title>Leaks</title><script>
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:site.test:PORT' }] });
    peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    const found = []; peer.onicecandidate = ({ candidate }) => candidate && found.push(candidate.candidate);
    setTimeout(() => document.title = 'candidates ' + found.filter((one) => !/ 127\\.|\\.local /.test(one)).length, 1000);
    for (const name of ['dns-leak.site.test', '169.254.169.254', '10.0.0.1']) new Image().src = 'http://' + name + '/leak';
    new WebSocket('ws://10.0.0.1/leak'); navigator.sendBeacon('http://10.0.0.1/leak', 'x');
  </script>`,
  '/calm': '<title>Calm</title>all is calm',
};

/** Sends without end. A response without a body takes everything at once and tells nobody that its client has left. */
function sendEndless({ method }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  if (method !== 'GET') return void response.end();
  const chunk = Buffer.alloc(256 * 1024);
  const more = () => {
    if (!response.destroyed) response.write(chunk, (error) => error ?? setImmediate(more));
  };
  more();
}

/** The browser of a task whose pages are hostile, beside that of another account. */
export interface HostileBrowser {
  readonly under: BrowserUnderTest;
  /** A new task for each test. */
  readonly task: BrowserTask;
  open(path: string): { do: string; url: string };
  /** After whatever a page did, its own task and that of another account go on. */
  expectCalm(): Promise<void>;
}

async function startServer(): Promise<BrowserUnderTest> {
  const under = await BrowserUnderTest.open((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    if (path === '/to-private') response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    else if (path === '/to-file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    else if (path === '/endless') sendEndless(request, response);
    else return pages[path]?.replace('PORT', String(under.port)) ?? pages['/calm'] ?? '';
    return null;
  });
  return under;
}

/** Has each test of a file find the browser. */
export function useHostileBrowser(): HostileBrowser {
  let under: BrowserUnderTest;
  let task: BrowserTask;
  let stranger: BrowserTask;

  beforeAll(async () => {
    if (!hasBrowser) return;
    under = await startServer();
    stranger = under.task('a2', 't2');
  });

  afterAll(() => under?.close());

  beforeEach((context) => {
    task = under?.task('a1', context.task.id);
  });

  // The next page finds no browser that this one keeps busy.
  afterEach(() => task?.move());

  const open = (path: string) => ({ do: 'open', url: `${under.site}${path}` });

  /** What a page is like that is opened; on a busy machine, a browser with many tabs may need some calls until it has closed them. */
  async function lookUntilCalm(of: BrowserTask): Promise<string> {
    let seen = await of.see(open('/calm'));
    for (let looks = 1; looks < 10 && !seen.includes('all is calm'); looks += 1) seen = await of.see(open('/calm'));
    return seen;
  }

  return {
    get under() {
      return under;
    },
    get task() {
      return task;
    },
    open,
    async expectCalm() {
      expect(await lookUntilCalm(stranger)).toContain('all is calm');
      expect(await lookUntilCalm(task)).toContain('all is calm');
    },
  };
}
