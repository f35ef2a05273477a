import type { Browser, BrowserType } from 'playwright-core';
import type { WorkspaceGate } from '@errand/sandbox/drivers';
import type { BrowserCall, BrowserRequest, BrowserReport, LiveCommand, PictureLine } from '../browser-messages.ts';
import { act, settle } from './act.ts';
import { orFail, readTimer, within } from './deadline.ts';
import { clearDownloads, downloadFolder } from './files.ts';
import { LiveView } from './live-view.ts';
import { showPage } from './page-text.ts';
import { restoreTab, SessionState } from './session-state.ts';
import { Tabs } from './tabs.ts';

/**
 * Runs inside the sandbox next to the browser, from which it takes nothing out but one report for each call. Its files are written there by
 * the service (types are stripped), so they import nothing from it.
 */

/** A machine at its limit takes many times the usual second. */
const startMs = 60_000;
/** Longer than each part of a step may take: only a page that does not answer at all reaches it. */
const stepMs = 45_000;
const restoreMs = 20_000;
const usualViewport = { width: 1280, height: 800 };

const flags = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-zygote',
  '--disable-breakpad',
  '--disable-background-networking',
];

/** The first line of an error, with what stood in the way. */
function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [line = 'it failed'] = text.split('\n');
  const obstacle =
    /(?:<[^>]{1,80}>[^\n]{0,80}intercepts pointer events|element is (?:not visible|not enabled|not stable|outside of the viewport))/.exec(
      text,
    );
  return `${line.replace(/^[\w.]+: /, '')}${obstacle ? ` (${obstacle[0]})` : ''}`.slice(0, 500);
}

function startBrowser(chromium: BrowserType, { program, proxy, site }: BrowserRequest): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    args: [...flags, `--host-resolver-rules=MAP ${site.host}:80 127.0.0.1:${site.port}`],
    chromiumSandbox: false,
    downloadsPath: downloadFolder,
    timeout: startMs,
    proxy: { server: proxy, bypass: `<-loopback>,${site.host}:80` },
  });
}

class Driver {
  readonly tabs: Tabs;
  readonly #state: SessionState;
  readonly #request: BrowserRequest;
  /** What the first report says. */
  #restored = 0;

  private constructor(tabs: Tabs, state: SessionState, request: BrowserRequest) {
    this.tabs = tabs;
    this.#state = state;
    this.#request = request;
  }

  static async start(browser: Browser, request: BrowserRequest): Promise<Driver> {
    const { session } = request;
    const viewport = session?.viewport ?? usualViewport;
    const kept = session && { storageState: { cookies: session.cookies, origins: session.origins } };
    const context = await browser.newContext({ ...kept, viewport, serviceWorkers: 'block' });
    const tabs = await Tabs.open(browser, context, viewport);
    return new Driver(tabs, new SessionState(context, session), request);
  }

  /** Opens the tabs of the session; the one that is left at once is not loaded. */
  async restore(leavesActive: boolean): Promise<void> {
    const { session } = this.#request;
    const kept = session?.tabs ?? [];
    for (const [index, tab] of kept.entries()) {
      const page = await this.tabs.add();
      if ((leavesActive && index === session?.active) || tab.url === 'about:blank') continue;
      await within(restoreMs, restoreTab(page, tab));
      this.#restored += 1;
    }
    if (kept.length === 0) await this.tabs.add();
    else this.tabs.choose(Math.min(session?.active ?? 0, kept.length - 1) + 1);
  }

  async perform({ steps, budgetMs }: BrowserCall): Promise<BrowserReport> {
    const tabs = this.tabs;
    const end = readTimer() + budgetMs;
    const done: string[] = [];
    let problem: string | null = null;
    tabs.answer = null;
    for (const step of steps) {
      const { page } = tabs;
      try {
        if (readTimer() > end) throw new Error('the time of one call is over; do the rest in another');
        done.push(await orFail(stepMs, act(tabs, step, this.#request.workspace), 'the page did not answer in time'));
      } catch (error) {
        problem = `${step.do}: ${describe(error)}`;
        break;
      }
      await tabs.follow();
      if (tabs.page !== page && step.do !== 'tab') await settle(tabs.page);
      await this.#state.note(tabs.page);
    }
    await clearDownloads();
    return this.#report(done, problem, steps.findLast((step) => step.do === 'look') ?? {});
  }

  async #report(done: string[], problem: string | null, wanted: Parameters<typeof showPage>[1]): Promise<BrowserReport> {
    const { pages, page, active, viewport } = this.tabs;
    const shown = page.url() === 'about:blank' ? null : await showPage(page, wanted).catch((error: unknown) => describe(error));
    const titles = await Promise.all(pages.map((one) => readTitle(one)));
    await Promise.all(pages.map((one) => this.#state.note(one)));
    const report: BrowserReport = {
      done,
      problem: problem ?? (typeof shown === 'string' ? `look: ${shown}` : null),
      notes: this.tabs.takeNotes(),
      tabs: pages.map((one, index) => ({ url: one.url().slice(0, 2000), title: titles[index] ?? '' })),
      active,
      page: typeof shown === 'string' ? null : shown,
      restored: this.#restored,
      session: await this.#state.read(pages, active, viewport),
    };
    this.#restored = 0;
    return report;
  }
}

async function readTitle(page: { title(): Promise<string> }): Promise<string> {
  const title = await within(1_000, page.title());
  return title === 'late' ? '' : title.slice(0, 300);
}

/** What the program that starts the driver gives it. */
export interface Surroundings {
  lines: AsyncIterator<string>;
  request: BrowserRequest;
  gate: WorkspaceGate;
  /** The library, loaded from its place in the sandbox. */
  chromium: BrowserType;
  say(line: BrowserReport | PictureLine): void;
  end(): void;
}

/** Answers each call with its report; what people want who look at the browser is done beside the calls. */
export async function serve({ lines, request, gate, chromium, say, end }: Surroundings): Promise<void> {
  const browser = await startBrowser(chromium, request);
  browser.on('disconnected', end);
  const driver = await Driver.start(browser, request);
  const view = new LiveView(driver.tabs, say);
  let isFirst = true;
  const answer = async (call: BrowserCall) => {
    await view.untilReleased();
    // Before tabs are loaded again, one of which may be a page of the workspace.
    if (call.opensWorkspace) gate.open();
    if (isFirst) await driver.restore(call.steps[0]?.do === 'open' && !call.steps[0].new_tab);
    isFirst = false;
    say(await driver.perform(call));
  };
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    const wanted = JSON.parse(line.value) as BrowserCall | { live: LiveCommand };
    if ('live' in wanted) view.handle(wanted.live);
    // One at a time: the next comes after its report.
    else answer(wanted).catch(end);
  }
}
