import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { createFolder } from '../support/process/leftovers.ts';

/** Only for pages that hang. */
const timeoutMs = 240_000;

/** The shell has no user interface around the page, costs a quarter less, and refuses notifications. */
const programs = {
  shell: { executablePath: '/usr/bin/chromium-headless-shell' },
  whole: { executablePath: '/usr/bin/chromium', args: ['--headless=new'], ignoreDefaultArgs: ['--headless'] },
};

/** The whole browser also runs the service worker; in the shell, tests answer requests themselves, which a worker may see first. */
const serviceWorkers = { shell: 'block', whole: 'allow' } as const;

export type Program = keyof typeof programs;

const launched = new Map<Program, Promise<Browser>>();

/** A browser with a temporary home folder, which ends with its thread. */
async function launch(program: Program): Promise<Browser> {
  const home = createFolder('chromium');
  const { args = [], ...options }: LaunchOptions = programs[program];
  return chromium.launch({
    ...options,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--crash-dumps-dir=${home}`, ...args],
    env: { HOME: home, PATH: process.env.PATH ?? '' },
  });
}

/** The browser of this thread, launched anew if it has crashed. */
async function browserOf(program: Program): Promise<Browser> {
  const running = launched.get(program);
  if (running && (await running).isConnected()) return running;
  const next = launch(program);
  launched.set(program, next);
  return next;
}

/** Profiles of one browser, which all test files of a thread share: they see nothing of each other. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];

  readonly #program: Program;

  private constructor(browser: Browser, program: Program) {
    this.#browser = browser;
    this.#program = program;
  }

  static async open(program: Program = 'shell'): Promise<TestBrowser> {
    return new TestBrowser(await browserOf(program), program);
  }

  /** A new profile, with a timeout for slow machines. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      reducedMotion: 'reduce',
      serviceWorkers: serviceWorkers[this.#program],
      ...options,
    });
    context.setDefaultTimeout(timeoutMs);
    this.#contexts.push(context);
    return context;
  }

  /** Closes the profiles opened here. */
  async end(): Promise<void> {
    await Promise.all(this.#contexts.map((context) => context.close()));
  }
}

/** The checker of accessibility: half a megabyte, so a page gets it once. */
const checker = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const worldName = 'accessibility';

/**
 * What a checker of accessibility finds on a page. It is put in from outside, because the page runs no scripts but its own.
 * @param hasFrames whether the content of frames is the page's own, and is checked as well
 * @param options other options of the checker
 */
export async function audit(page: Page, hasFrames: boolean, options: RunOptions = {}): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  const { frameTree } = await client.send('Page.getFrameTree');
  const world = await client.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName });
  const evaluate = async (expression: string) => {
    const contextId = world.executionContextId;
    const answer = await client.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true });
    return answer.result.value as unknown;
  };
  if ((await evaluate('typeof axe')) === 'undefined') await evaluate(`${checker};0`);
  // Only what is wrong is reported, by its markup: nothing is put together for the thousand elements that are as they should be.
  const report: RunOptions = { resultTypes: ['violations'], selectors: false };
  const violations = await evaluate(
    `axe.run(document, ${JSON.stringify({ iframes: hasFrames, ...report, ...options })}).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
  );
  await client.detach();
  return violations as string[];
}
