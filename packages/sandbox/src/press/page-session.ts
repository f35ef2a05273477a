import { readFileSync } from 'node:fs';
import { afterTime } from './deadline.ts';
import type { Devtools, Reply } from './devtools.ts';
import { fontsPath, type PageServer } from './page-server.ts';
import type { Finding, PressJob } from './press-job.ts';

/** A busy machine takes long to start a browser. */
const startMs = 90_000;
const loadMs = 20_000;
const settleMs = 12_000;
const answerMs = 30_000;
/** How many remarks of each kind are listed; the rest are only counted. */
const mostPerKind = 8;

/** Waits until the page is complete: fonts and pictures are loaded, and nothing moves. */
const settleScript = `(async () => {
  for (const one of document.querySelectorAll('[loading=lazy]')) one.loading = 'eager';
  await document.fonts?.ready;
  await Promise.all([...document.images].map((one) => one.decode().catch(() => undefined)));
  for (const one of document.getAnimations?.() ?? []) { try { one.finish(); } catch {} }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
})()`;

export interface Examination {
  found: (Omit<Finding, 'page'> & { sheet: number | null; y: number })[];
  /** The first words of a table of contents, whose page need not be full. */
  contents: string;
  more: Record<string, number>;
  links: { path: string; element: string; words: string; target: string }[];
}

/** The first line of a script's error. */
function describeException(event: Reply): string {
  const details = (event['exceptionDetails'] ?? {}) as {
    text?: string;
    exception?: { description?: string };
    lineNumber?: number;
  };
  const [line = ''] = (details.exception?.description ?? details.text ?? 'a script failed').split('\n');
  return `${line.slice(0, 200)} (line ${(details.lineNumber ?? 0) + 1})`;
}

/** Thrown if the page lacks its main content, which it would lack without scripts, too. */
export class UnusablePage extends Error {}

/** One page in the browser, and what went wrong in it while it loaded. */
export class PageSession {
  readonly problems: Finding[] = [];
  readonly #devtools: Devtools;
  readonly #sessionId: string;
  readonly #server: PageServer;

  private constructor(devtools: Devtools, sessionId: string, server: PageServer) {
    this.#devtools = devtools;
    this.#sessionId = sessionId;
    this.#server = server;
  }

  static async open(devtools: Devtools, server: PageServer): Promise<PageSession> {
    const { targetId } = await devtools.send('Target.createTarget', { url: 'about:blank' }, null, startMs);
    const attached = await devtools.send('Target.attachToTarget', { targetId, flatten: true }, null, answerMs);
    return new PageSession(devtools, String(attached['sessionId']), server);
  }

  send(method: string, params: Reply = {}, timeoutMs = answerMs): Promise<Reply> {
    return this.#devtools.send(method, params, this.#sessionId, timeoutMs);
  }

  #watch(): void {
    const remote = new Set<string>();
    const note = (kind: Finding['kind'], text: string) => this.problems.push({ kind, page: null, element: '', words: '', text });
    this.#devtools.on('Runtime.exceptionThrown', (event) => note('script', `a script failed: ${describeException(event)}`));
    this.#devtools.on('Network.requestWillBeSent', ({ request }) => {
      const { url } = request as { url: string };
      if (!/^(https?|wss?|ftp|file):/i.test(url) || url.startsWith(this.#server.origin) || remote.has(url)) return;
      remote.add(url);
      note('network', `${url.slice(0, 160)} was not loaded: pages are made without a network. Save it in the workspace.`);
    });
    this.#devtools.on(
      'Page.javascriptDialogOpening',
      () => void this.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined),
    );
  }

  /** Loads the page and waits until it is complete; rejects if it never is. */
  async load(url: string, job: PressJob, runsScripts: boolean): Promise<void> {
    this.#watch();
    for (const domain of ['Page', 'Runtime', 'Network']) await this.send(`${domain}.enable`);
    if (!runsScripts) await this.send('Emulation.setScriptExecutionDisabled', { value: true });
    await this.resize(job.window.width, job.window.height, job.window.isPhone);
    const features = [
      { name: 'prefers-color-scheme', value: job.scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ];
    await this.send('Emulation.setEmulatedMedia', { media: job.view === 'paper' ? 'print' : 'screen', features });
    const loaded = new Promise<void>((resolve) => this.#devtools.on('Page.loadEventFired', () => resolve()));
    await this.send('Page.navigate', { url });
    const late = new Promise<never>((_, reject) => {
      afterTime(loadMs, () => reject(new Error('the page did not finish loading')));
    });
    late.catch(() => undefined);
    await Promise.race([loaded, late]);
    await this.#addFonts(job);
    if (!runsScripts) return;
    await this.evaluate(settleScript, settleMs);
    // For what its scripts have written since.
    if (await this.#addFonts(job)) await this.evaluate(settleScript, settleMs);
  }

  /** Returns whether the page had characters that it had no font for. */
  async #addFonts({ fonts: { packages } }: PressJob): Promise<boolean> {
    if (packages.length === 0) return false;
    const script = readFileSync(new URL('./page/add-fonts.js', import.meta.url), 'utf8').replace(/;\s*$/, '');
    return (await this.evaluate(`(${script})(${JSON.stringify({ path: fontsPath, packages })})`, settleMs)) === true;
  }

  resize(width: number, height: number, isPhone: boolean): Promise<Reply> {
    return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: isPhone });
  }

  /** Runs an expression apart from the page's own scripts, which cannot change what it finds. */
  async evaluate(expression: string, timeoutMs = answerMs): Promise<unknown> {
    const { frameTree } = await this.send('Page.getFrameTree');
    const frameId = (frameTree as { frame: { id: string } }).frame.id;
    const world = await this.send('Page.createIsolatedWorld', { frameId, worldName: 'press' });
    const reply = await this.send(
      'Runtime.evaluate',
      { expression, contextId: world['executionContextId'], awaitPromise: true, returnByValue: true },
      timeoutMs,
    );
    if (reply['exceptionDetails']) throw new Error(`the page could not be examined: ${describeException(reply)}`);
    return (reply['result'] as { value?: unknown }).value;
  }

  async examine(job: PressJob): Promise<Examination> {
    const script = readFileSync(new URL('./page/examine-page.js', import.meta.url), 'utf8').replace(/;\s*$/, '');
    const options = JSON.stringify({ view: job.view, scheme: job.scheme, mostPerKind });
    return (await this.evaluate(`(${script})(${options})`)) as Examination;
  }
}
