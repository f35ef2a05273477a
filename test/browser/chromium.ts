import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createFolder } from '../support/process/leftovers.ts';

/** Only for pages that hang. */
const timeoutMs = 240_000;

let launched: Promise<Browser> | null = null;

/** Chromium without the user interface around the page, which costs a quarter less, with a temporary home folder. It ends with its thread. */
async function launch(): Promise<Browser> {
  const home = createFolder('chromium');
  return chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--crash-dumps-dir=${home}`],
    env: { HOME: home, PATH: process.env.PATH ?? '' },
  });
}

/** Profiles of one browser, which all test files of a thread share: they see nothing of each other. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<TestBrowser> {
    if (launched && !(await launched).isConnected()) launched = null;
    launched ??= launch();
    return new TestBrowser(await launched);
  }

  /** A new profile, with a timeout for slow machines. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce', ...options });
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
  const violations = await evaluate(
    `axe.run(document, ${JSON.stringify({ iframes: hasFrames, ...options })}).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
  );
  await client.detach();
  return violations as string[];
}
