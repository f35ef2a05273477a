import type { Browser, BrowserContext, CDPSession, Dialog, Download, Page } from 'playwright-core';
import type { BrowserSession } from '../browser-messages.ts';
import { within } from './deadline.ts';

const openMs = 10_000;
const answerMs = 1_500;
const mostTabs = 8;
const mostNotes = 12;
const longestNote = 300;
/** A page with more in one call shows them without end. */
const mostDialogs = 30;

export interface DialogAnswer {
  accept: boolean;
  text?: string | undefined;
}

/** The tabs of the browser, and what happens to them without being asked for. */
export class Tabs {
  readonly context: BrowserContext;
  viewport: BrowserSession['viewport'];
  /** How dialogs are answered; null for the default. */
  answer: DialogAnswer | null = null;
  /** Whether a download is part of the step that runs. */
  awaitsDownload = false;
  readonly #pages: Page[] = [];
  #active: Page | null = null;
  #notes: string[] = [];
  #more = 0;
  #dialogs = 0;
  #announced = 0;
  #followed = 0;

  private constructor(context: BrowserContext, viewport: BrowserSession['viewport']) {
    this.context = context;
    this.viewport = viewport;
    context.on('page', (page) => this.#receive(page));
  }

  static async open(browser: Browser, context: BrowserContext, viewport: BrowserSession['viewport']): Promise<Tabs> {
    const tabs = new Tabs(context, viewport);
    const session: CDPSession = await browser.newBrowserCDPSession();
    // Chromium announces a window before it acknowledges the click that opens it; the library reports it only once it has loaded.
    session.on('Target.targetCreated', ({ targetInfo }) => {
      if (targetInfo.type === 'page' && targetInfo.subtype === undefined) tabs.#announced += 1;
    });
    await session.send('Target.setDiscoverTargets', { discover: true });
    // Those that existed before are none of the context's.
    tabs.#announced = 0;
    return tabs;
  }

  get pages(): readonly Page[] {
    return this.#pages;
  }

  get page(): Page {
    if (!this.#active) throw new Error('no tab is open');
    return this.#active;
  }

  get active(): number {
    return Math.max(0, this.#pages.indexOf(this.page));
  }

  /** What has happened since the last call of this. */
  takeNotes(): string[] {
    const notes = [...this.#notes, ...(this.#more > 0 ? [`and ${this.#more} more such events`] : [])];
    this.#notes = [];
    this.#more = 0;
    this.#dialogs = 0;
    return notes;
  }

  /** Says something to the agent with the next report. */
  notify(text: string): void {
    this.#note(text);
  }

  async add(): Promise<Page> {
    if (this.#pages.length >= mostTabs) throw new Error(`${mostTabs} tabs are open; close one with close_tab`);
    const page = await this.context.newPage();
    this.#active = page;
    return page;
  }

  choose(number: number): void {
    const page = this.#pages[number - 1];
    if (!page) throw new Error(`there is no tab ${number}`);
    this.#active = page;
  }

  async close(page = this.page): Promise<void> {
    this.#drop(page);
    if (this.#pages.length === 0) await this.context.newPage();
    await within(answerMs, page.close());
  }

  /** The tab that is shown; another in its place if it does not answer, because such a page cannot even be left. */
  async ensureAnswer(): Promise<Page> {
    const { page } = this;
    if ((await within(answerMs, page.evaluate('0'))) !== 'late') return page;
    this.#note('a tab that did not respond was closed');
    // First, because there may be no room for another.
    this.#drop(page);
    const fresh = await this.context.newPage();
    await within(answerMs, page.close());
    this.#active = fresh;
    return fresh;
  }

  async resize(viewport: BrowserSession['viewport']): Promise<void> {
    this.viewport = viewport;
    await Promise.all(this.#pages.map((page) => page.setViewportSize(viewport)));
  }

  /** Waits until every window that was announced can be driven; one that closes again is given up. */
  async follow(): Promise<void> {
    while (this.#followed < this.#announced) {
      const opened = await this.context.waitForEvent('page', { timeout: openMs }).catch(() => null);
      if (opened === null) this.#followed = this.#announced;
    }
  }

  #receive(page: Page): void {
    this.#followed += 1;
    if (this.#pages.length >= mostTabs) {
      this.#note(`a window was closed at once, because ${mostTabs} tabs are open`);
      void page.close().catch(() => undefined);
      return;
    }
    this.#pages.push(page);
    this.#active = page;
    page.on('dialog', (dialog) => void this.#answerDialog(page, dialog));
    page.on('download', (download) => this.#checkDownload(download));
    page.on('close', () => this.#noteClosed(page));
    page.on('crash', () => void this.#replaceCrashed(page));
    void page.setViewportSize(this.viewport).catch(() => undefined);
  }

  #drop(page: Page): void {
    const at = this.#pages.indexOf(page);
    if (at < 0) return;
    this.#pages.splice(at, 1);
    if (this.#active === page) this.#active = this.#pages[Math.max(0, at - 1)] ?? null;
  }

  /** Handles a tab that closed on its own; one tab always stays open. */
  #noteClosed(page: Page): void {
    if (!this.#pages.includes(page)) return;
    this.#drop(page);
    if (this.#pages.length === 0) void this.context.newPage().catch(() => undefined);
  }

  async #replaceCrashed(page: Page): Promise<void> {
    this.#note('a tab has crashed and was closed; its page may need too much memory');
    await this.close(page).catch(() => undefined);
  }

  async #answerDialog(page: Page, dialog: Dialog): Promise<void> {
    this.#dialogs += 1;
    const kind = dialog.type();
    const accept = kind === 'beforeunload' || (this.answer?.accept ?? kind === 'alert');
    const remedy = this.answer ? '' : '; {"do": "dialog", "accept": true} before that step, in the same call, accepts it';
    if (kind !== 'beforeunload')
      this.#note(`a dialog (${kind}) said "${dialog.message()}" and was ${accept ? 'accepted' : `declined${remedy}`}`);
    await (accept ? dialog.accept(kind === 'prompt' ? this.answer?.text : undefined) : dialog.dismiss()).catch(() => undefined);
    if (this.#dialogs !== mostDialogs) return;
    this.#note('a tab was closed, because its page showed dialogs without end');
    await this.close(page).catch(() => undefined);
  }

  #checkDownload(download: Download): void {
    if (this.awaitsDownload) return;
    this.#note(`the page offered the file "${download.suggestedFilename()}", which was not taken; use download`);
    void download.cancel().catch(() => undefined);
  }

  #note(text: string): void {
    if (this.#notes.length < mostNotes) this.#notes.push(text.replaceAll(/\s+/g, ' ').slice(0, longestNote));
    else this.#more += 1;
  }
}
