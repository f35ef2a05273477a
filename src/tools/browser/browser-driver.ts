import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Browser, BrowserContext, BrowserType, Locator, Page } from 'playwright-core';
import type { BrowserAction, BrowserReport, BrowserRequest } from './browser-action.ts';

/**
 * Runs inside the sandbox next to the browser: this file's text is passed to Node there, so it imports nothing from the service (types are
 * stripped). Whatever a page does to the browser stays in the sandbox; only one report leaves it.
 */

const actionTimeoutMs = 10_000;
const settleTimeoutMs = 3_000;
const longestText = 12_000;
const mostElements = 80;

interface Memory {
  url: string | null;
  cookies: Awaited<ReturnType<BrowserContext['storageState']>> | null;
}

async function readMemory(path: string): Promise<Memory> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Memory;
  } catch {
    return { url: null, cookies: null };
  }
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('domcontentloaded', { timeout: actionTimeoutMs }).catch(() => undefined);
  await page.waitForLoadState('networkidle', { timeout: settleTimeoutMs }).catch(() => undefined);
}

/** What a person would mean by a text: a control with that name, a field with that label, then any text. */
async function locate(page: Page, target: string): Promise<Locator> {
  if (target.startsWith('css=')) return page.locator(target).first();
  const roles = ['button', 'link', 'textbox', 'combobox', 'checkbox', 'radio', 'tab', 'menuitem', 'searchbox'] as const;
  const exact = roles.map((role) => page.getByRole(role, { name: target, exact: true }));
  const loose = roles.map((role) => page.getByRole(role, { name: target }));
  const others = [page.getByLabel(target), page.getByPlaceholder(target), page.getByText(target)];
  for (const candidate of [...exact, ...loose, ...others]) {
    const found = candidate.first();
    if ((await candidate.count()) > 0 && (await found.isVisible())) return found;
  }
  throw new Error(`nothing on the page is called "${target}"`);
}

async function place(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  return path;
}

async function act(page: Page, action: BrowserAction, workspace: string): Promise<string> {
  switch (action.do) {
    case 'open': {
      const response = await page.goto(action.url, { timeout: 2 * actionTimeoutMs, waitUntil: 'domcontentloaded' });
      await settle(page);
      const status = response?.status() ?? 200;
      return `opened ${action.url}${status >= 400 ? ` (status ${status})` : ''}`;
    }
    case 'click':
      await (await locate(page, action.target)).click({ timeout: actionTimeoutMs });
      await settle(page);
      return `clicked ${action.target}`;
    case 'type': {
      const field = await locate(page, action.target);
      await field.fill(action.text, { timeout: actionTimeoutMs });
      if (action.submit) await field.press('Enter', { timeout: actionTimeoutMs });
      if (action.submit) await settle(page);
      return `typed into ${action.target}`;
    }
    case 'scroll':
      await page.mouse.wheel(0, action.pages * 700);
      await settle(page);
      return `scrolled by ${action.pages}`;
    case 'back':
      await page.goBack({ timeout: actionTimeoutMs });
      await settle(page);
      return 'went back';
    case 'wait':
      await page.waitForTimeout(action.seconds * 1000);
      return `waited ${action.seconds} s`;
    case 'screenshot':
      await page.screenshot({
        path: await place(`${workspace}/${action.path}`),
        fullPage: action.whole,
        timeout: actionTimeoutMs,
      });
      return `saved a picture as ${action.path}`;
    case 'download': {
      const begun = page.waitForEvent('download', { timeout: actionTimeoutMs });
      begun.catch(() => undefined);
      await (await locate(page, action.target)).click({ timeout: actionTimeoutMs });
      await (await begun).saveAs(await place(`${workspace}/${action.path}`));
      return `downloaded ${action.path}`;
    }
  }
}

/** Runs in the page: lists all interactive elements, one per line. */
const listElements = `(most) => {
  const clean = (text) => (text || '').replace(/\\s+/g, ' ').trim().slice(0, 120);
  const lines = [];
  for (const one of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=link]')) {
    if (lines.length >= most) break;
    if (!one.getClientRects().length) continue;
    const label = clean(one.getAttribute('aria-label') || (one.labels && one.labels[0] && one.labels[0].innerText) || one.placeholder || one.innerText || one.title || one.name);
    if (one.matches('a')) lines.push('link "' + label + '" ' + one.href.slice(0, 300));
    else if (one.matches('input, select, textarea') && !one.matches('[type=submit], [type=button]')) lines.push('field "' + label + '"' + (one.type === 'password' || !one.value ? '' : ' = "' + clean(one.value) + '"'));
    else lines.push('button "' + (label || clean(one.value)) + '"');
  }
  return lines;
}`;

async function look(page: Page): Promise<BrowserReport['page']> {
  if (page.url() === 'about:blank') return null;
  const text = await page
    .locator('body')
    .innerText({ timeout: actionTimeoutMs })
    .catch(() => '');
  const elements = await page.evaluate<string[]>(`(${listElements})(${mostElements})`).catch(() => []);
  return { url: page.url(), title: await page.title().catch(() => ''), text: text.slice(0, longestText), elements };
}

function describe(error: unknown): string {
  const [line = 'it failed'] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/^[\w.]+: /, '').slice(0, 500);
}

/**
 * The windows that pages open. Chromium announces one before it acknowledges the click that opens it; the library reports it only once
 * it can be driven, which takes any time on a busy machine.
 */
class Windows {
  /** The newest window. */
  page: Page;
  #announced = 0;
  #followed = 0;

  private constructor(page: Page) {
    this.page = page;
    page.context().on('page', (opened) => {
      this.page = opened;
      this.#followed += 1;
    });
  }

  static async watch(browser: Browser, page: Page): Promise<Windows> {
    const windows = new Windows(page);
    const session = await browser.newBrowserCDPSession();
    await session.send('Target.setDiscoverTargets', { discover: true });
    // Those that exist were announced before the answer.
    session.on('Target.targetCreated', ({ targetInfo }) => {
      if (targetInfo.type === 'page' && targetInfo.subtype === undefined) windows.#announced += 1;
    });
    return windows;
  }

  /** Waits until every window that was announced can be driven; one that closes again is given up. */
  async follow(): Promise<void> {
    while (this.#followed < this.#announced) {
      const opened = await this.page
        .context()
        .waitForEvent('page', { timeout: actionTimeoutMs })
        .catch(() => null);
      if (opened === null) this.#followed = this.#announced;
    }
  }
}

/** Performs actions in order until one fails, then reports the page. */
async function perform(windows: Windows, request: BrowserRequest): Promise<BrowserReport> {
  const done: string[] = [];
  let problem: string | null = null;
  for (const action of request.actions) {
    const { page } = windows;
    try {
      done.push(await act(page, action, request.workspace));
    } catch (error) {
      problem = `${action.do}: ${describe(error)}`;
      break;
    }
    await windows.follow();
    if (windows.page !== page) await settle(windows.page);
  }
  return { done, problem, page: await look(windows.page) };
}

const flags = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-zygote',
  '--disable-breakpad',
  '--disable-background-networking',
];

/** @param chromium from the library, loaded by the caller from its path in the sandbox */
export async function drive(chromium: BrowserType, request: BrowserRequest): Promise<BrowserReport> {
  const memory = await readMemory(request.memory);
  const proxy = { server: request.proxy, bypass: '<-loopback>' };
  const browser: Browser = await chromium.launch({ executablePath: request.program, args: flags, chromiumSandbox: false, proxy });
  try {
    const state = memory.cookies === null ? {} : { storageState: memory.cookies };
    const context = await browser.newContext({ ...state, viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' });
    const page = await context.newPage();
    const windows = await Windows.watch(browser, page);
    if (request.actions[0]?.do !== 'open' && memory.url !== null) {
      await page.goto(memory.url, { timeout: 2 * actionTimeoutMs, waitUntil: 'domcontentloaded' }).catch(() => undefined);
      await settle(page);
    }
    const report = await perform(windows, request);
    const kept: Memory = { url: report.page?.url ?? null, cookies: await context.storageState() };
    await writeFile(await place(request.memory), JSON.stringify(kept));
    return report;
  } finally {
    await browser.close();
  }
}
