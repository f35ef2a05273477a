import type { Clock } from '@errand/base/clock.ts';
import { mkdirSync } from 'node:fs';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { controlSocketPath, openControl } from '../../src/cli/transport/control-socket.ts';
import { eventually } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';
import { audit, type Program, TestBrowser } from './chromium.ts';

export const owner = { email: 'ann@example.com', password: 'a long password of ann' };

export type Answer = Record<string, unknown>;

/** A file that goes into a message. */
export interface SampleFile {
  filename: string;
  type: string;
  content: string | Uint8Array;
}

/** What went wrong on pages: scripts of others, refused requests, errors. */
export interface PageTroubles {
  errors: string[];
  dialogs: string[];
  /** Requests to anywhere but the service's two origins, except for those that a policy kept from being sent. */
  strangers: string[];
  violations: string[];
}

function readAnswer(operation: string, answer: Answer): Answer {
  if (answer.ok !== true) throw new Error(`${operation}: ${JSON.stringify(answer)}`);
  return answer;
}

/** A fresh service with the built application, and a real browser that is signed in to it. */
export class WebUnderTest<Service extends LocalService | ServiceProcess = LocalService> {
  readonly service: Service;
  readonly base: string;
  readonly browser: TestBrowser;
  readonly context: BrowserContext;
  readonly troubles: PageTroubles = { errors: [], dialogs: [], strangers: [], violations: [] };

  private constructor(service: Service, browser: TestBrowser, context: BrowserContext) {
    this.service = service;
    this.base = service.url.replace('127.0.0.1', 'localhost');
    this.browser = browser;
    this.context = context;
    this.#watch(context);
  }

  /** A fresh service whose owner is set up and signed in. */
  static async start(env: Record<string, string> = {}, program?: Program, clock?: Clock): Promise<WebUnderTest> {
    const service = await LocalService.start({ env, ...(clock && { clock }) });
    return WebUnderTest.#signedIn(await WebUnderTest.#openAt(service, program));
  }

  /** The same in a separate process, which can be killed. */
  static async startKillable(env: Record<string, string> = {}): Promise<WebUnderTest<ServiceProcess>> {
    return WebUnderTest.#signedIn(await WebUnderTest.#openAt(await ServiceProcess.start({ env })));
  }

  /** A fresh service that nobody has been at. */
  static async startEmpty(env: Record<string, string> = {}): Promise<WebUnderTest> {
    return WebUnderTest.#openAt(await LocalService.start({ env }));
  }

  static async #openAt<One extends LocalService | ServiceProcess>(service: One, program?: Program): Promise<WebUnderTest<One>> {
    const browser = await TestBrowser.open(program);
    return new WebUnderTest(service, browser, await browser.newContext({ locale: 'en-GB' }));
  }

  static async #signedIn<One extends LocalService | ServiceProcess>(web: WebUnderTest<One>): Promise<WebUnderTest<One>> {
    const page = await web.open('/sign-in');
    await web.setUp(page);
    await page.close();
    return web;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.end();
    await this.service.end();
  }

  /** A browser without a session. */
  async newVisitor(): Promise<BrowserContext> {
    const context = await this.browser.newContext({ locale: 'en-GB' });
    this.#watch(context);
    return context;
  }

  async open(path: string, context = this.context): Promise<Page> {
    const page = await context.newPage();
    await page.goto(this.base + path);
    return page;
  }

  /** Somebody else's browser, signed in: a member of the owner's team, which is made with the first of them. */
  async newMember(email: string): Promise<BrowserContext> {
    const password = `a long password of ${email}`;
    await this.operate('account.create', { email, password });
    if (!(await this.callWeb('session.show')).team) await this.callWeb('team.create', { name: 'Research' });
    const { token } = await this.callWeb('team.invite', { email, role: 'member' });
    const context = await this.newVisitor();
    const page = await this.open('/sign-in', context);
    await this.signIn(page, email, password);
    await page.waitForURL((url) => url.pathname === '/');
    await this.callWeb('team.accept', { token }, context);
    await page.close();
    return context;
  }

  /** An operation of the API, in the name of the owner. */
  async call(operation: string, input: Answer = {}): Promise<Answer> {
    const isRead =
      /\.(archive|detail|get|list|show|listRatings|listComments|listAssigned|listMessages|listCheckpoints|status)$/.test(
        operation,
      );
    const query = isRead ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : '';
    const response = await fetch(`${this.base}/v2/${operation}${query}`, {
      headers: { 'x-service-api-key': this.service.apiKey, 'content-type': 'application/json' },
      ...(!isRead && { method: 'POST', body: JSON.stringify(input) }),
    });
    return readAnswer(operation, (await response.json()) as Answer);
  }

  /** The id of a task that begins with these words. */
  async createTask(text: string, more: Answer = {}): Promise<string> {
    return String((await this.call('task.create', { message: { content: text }, ...more })).task_id);
  }

  /** An operation reserved for the pages, as the user signed in there. */
  async callWeb(operation: string, input: Answer = {}, context = this.context): Promise<Answer> {
    const isRead = /\.(show|list|members|invitations|deliveries|delivery|modelCall)$/.test(operation);
    const address = `${this.base}/web/${operation}`;
    const headers = { 'x-errand-web': '1' };
    const response = isRead
      ? await context.request.get(address, { headers, params: input as Record<string, string> })
      : await context.request.post(address, { headers, data: input });
    return readAnswer(operation, (await response.json()) as Answer);
  }

  /** An operation of the operator, by default for the first account. */
  async operate(operation: string, input: Answer = {}, account: string | null = null): Promise<Answer> {
    const control = openControl(controlSocketPath(this.service.dataDir), account);
    const { body } = await control.send({ path: `/admin/${operation}`, method: 'POST', body: input });
    return readAnswer(operation, body as Answer);
  }

  /** A task that does these lines and is done. */
  async runTask(lines: readonly string[], files: readonly SampleFile[] = [], more: Answer = {}): Promise<string> {
    const parts = files.map(({ filename, type, content }) => ({
      type: 'file',
      filename,
      file_data: `data:${type};base64,${Buffer.from(content).toString('base64')}`,
    }));
    const content = [{ type: 'text', text: lines.join('\n') }, ...parts];
    const { task_id: taskId } = await this.call('task.create', { message: { content }, ...more });
    await eventually('the end of the task', async () => {
      const { task } = await this.call('task.detail', { task_id: taskId });
      return (task as { status: string }).status === 'stopped' ? true : null;
    });
    return String(taskId);
  }

  /** Sets the owner up on the page where one is led at first. */
  async setUp(page: Page): Promise<void> {
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password at least').fill(owner.password);
    await page.getByLabel('Confirm password').fill(owner.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL((url) => !/^\/(sign-in|set-up)$/.test(url.pathname));
  }

  /** Fills the sign-in page in. */
  async signIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  #watch(context: BrowserContext): void {
    const own = [this.base, this.service.contentUrl, this.service.url].map((url) => new URL(url).origin);
    context.on('page', (page) => {
      page.on('dialog', (dialog) => {
        this.troubles.dialogs.push(`${dialog.message()} at ${page.url()}`);
        void dialog.dismiss();
      });
      page.on('pageerror', (error) => this.troubles.errors.push(error.message));
    });
    const isForeign = (request: Request) => {
      const { protocol, origin } = new URL(request.url());
      return /^https?:$/.test(protocol) && !own.includes(origin);
    };
    context.on('request', (request) => {
      if (isForeign(request)) this.troubles.strangers.push(request.url());
      if (request.url().endsWith('/csp.report')) this.troubles.violations.push(request.postData() ?? '');
    });
    context.on('requestfailed', (request) => {
      // A request that our policy refuses never leaves the browser. The application's policy also reports it to the service.
      if (!isForeign(request) || request.failure()?.errorText !== 'csp') return;
      this.troubles.strangers.splice(this.troubles.strangers.indexOf(request.url()), 1);
    });
  }
}

/** A folder for pictures of every page, for people to look at. */
const pictures = process.env.ERRAND_TEST_PICTURES;

/** Saves a screenshot of a page, if requested. */
export async function savePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

/** Colours that are on their way to those of the other theme are neither. */
const settled = `new Promise((done) => requestAnimationFrame(done)).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished)))
  .then(() => undefined)`;

/** A page in both themes and on a phone: nothing may be hard to use or cut off at the side. */
export async function examine(page: Page, name: string): Promise<void> {
  const save = (look: string) => savePicture(page, `${name}-${look}`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(settled);
    // Themes differ in their colors alone.
    const options = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
    expect([name, colorScheme, await audit(page, false, options)]).toEqual([name, colorScheme, []]);
    await save(colorScheme);
  }
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  await save('phone');
  // Parts that follow the width of the window may do so a moment later.
  const measure = () => page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
  await expect.poll(measure, { message: `${name} is wider than a phone` }).toBe(0);
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}
