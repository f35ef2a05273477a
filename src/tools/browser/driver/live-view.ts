import type { CDPSession, Page } from 'playwright-core';
import type { BrowserInput } from '../../../rules/browser/live-browser.ts';
import type { LiveCommand, PictureLine } from '../browser-messages.ts';
import { pause, readTimer, within } from './deadline.ts';
import type { Tabs } from './tabs.ts';
import { typedMark } from './typed-mark.ts';

/** The shortest time between two pictures. */
const betweenMs = 150;
const followMs = 250;
const inputMs = 5_000;
const screen = { format: 'jpeg', quality: 50, maxWidth: 1024, maxHeight: 768 } as const;
/** More at once is set in without the keys that would write it. */
const longestTyped = 100;

const markScript = `(() => {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  if (found && found !== document.body && found.tagName !== 'IFRAME') found.setAttribute('${typedMark}', '');
})()`;

/** What people see of the tab that is shown, and what they do in it. */
export class LiveView {
  readonly #tabs: Tabs;
  readonly #say: (line: PictureLine) => void;
  #session: CDPSession | null = null;
  /** The tab that is shown, once it is. */
  #page: Page | null = null;
  #isWatched = false;
  /** How often people began to watch: who follows the tabs for those of before ends. */
  #watches = 0;
  #work: Promise<unknown> = Promise.resolve();
  /** How often the browser was given back, and until when what was wanted before is still done. */
  #releases = 0;
  #dropAt = 0;
  readonly #settleMs: number;
  #released: Promise<unknown> = Promise.resolve();

  /** @param settleMs how long what a person did just before giving the browser back may take; the agent waits for it */
  constructor(tabs: Tabs, say: (line: PictureLine) => void, settleMs = 3_000) {
    this.#tabs = tabs;
    this.#say = say;
    this.#settleMs = settleMs;
  }

  /** One after the other, beside the calls of the agent. */
  handle(command: LiveCommand): void {
    if (command.do === 'release') {
      this.#releases += 1;
      this.#dropAt = readTimer() + this.#settleMs;
    }
    const release = this.#releases;
    const done = this.#queue(() => this.#perform(command, release));
    if (command.do === 'release') this.#released = done;
  }

  /** Resolves when nothing is being done for a person who has given the browser back. */
  async untilReleased(): Promise<void> {
    await this.#released;
  }

  #isOver(release: number): boolean {
    return release !== this.#releases && readTimer() >= this.#dropAt;
  }

  #queue(work: () => Promise<void>): Promise<unknown> {
    this.#work = this.#work.then(work).catch(() => undefined);
    return this.#work;
  }

  async #perform(command: LiveCommand, release: number): Promise<void> {
    if (command.do === 'watch') return command.on ? this.#begin() : this.#end();
    if (command.do === 'release') return this.#tabs.notify('a person has used the browser meanwhile; look at what it shows now');
    for (const input of command.inputs) {
      if (this.#isOver(release)) return;
      await within(inputMs, this.#act(this.#tabs.page, input));
    }
  }

  #begin(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#watches += 1;
    void this.#keepFollowing(this.#watches);
  }

  async #keepFollowing(watch: number): Promise<void> {
    while (this.#isWatched && watch === this.#watches) {
      await this.#queue(() => this.#follow());
      await pause(followMs);
    }
  }

  #end(): Promise<void> {
    this.#isWatched = false;
    return this.#leave();
  }

  async #leave(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.#page = null;
    if (session) await within(inputMs, session.detach());
  }

  /** Shows the tab that is active now; one that cannot be shown yet is tried again. */
  async #follow(): Promise<void> {
    if (!this.#isWatched || this.#tabs.page === this.#page) return;
    await this.#leave();
    const { page } = this.#tabs;
    const opening = page.context().newCDPSession(page);
    const session = await within(inputMs, opening);
    if (session === 'late') {
      void opening.then((late) => late.detach()).catch(() => undefined);
      return;
    }
    this.#session = session;
    session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      if (session !== this.#session) return;
      this.#say({ picture: { data, width: metadata.deviceWidth, height: metadata.deviceHeight } });
      // The next one comes after this one is acknowledged.
      void pause(betweenMs)
        .then(() => session.send('Page.screencastFrameAck', { sessionId }))
        .catch(() => undefined);
    });
    if ((await within(inputMs, session.send('Page.startScreencast', screen))) !== 'late') this.#page = page;
  }

  async #act(page: Page, input: BrowserInput): Promise<void> {
    const { mouse, keyboard } = page;
    switch (input.do) {
      case 'click':
        // A double click comes as two inputs, the second of which says that it is the second.
        await mouse.move(input.x, input.y);
        await mouse.down({ button: input.button, clickCount: input.count });
        return mouse.up({ button: input.button, clickCount: input.count });
      case 'scroll':
        await mouse.move(input.x, input.y);
        return mouse.wheel(input.by_x, input.by_y);
      case 'type':
        return this.#type(page, input.text);
      case 'press':
        return keyboard.press(input.keys);
      case 'go':
        if (input.to === 'reload') await page.reload({ waitUntil: 'commit' });
        else if (input.to === 'back') await page.goBack({ waitUntil: 'commit' });
        else await page.goForward({ waitUntil: 'commit' });
    }
  }

  /** Key by key, because the agent may have the keyboard before the last: the rest of a password is not for what it has in focus. */
  async #type(page: Page, text: string): Promise<void> {
    const release = this.#releases;
    await Promise.all(page.frames().map((frame) => within(inputMs, frame.evaluate(markScript))));
    const isLong = text.length > longestTyped;
    for (const piece of isLong ? [text] : text) {
      if (this.#isOver(release)) return;
      await (isLong ? page.keyboard.insertText(piece) : page.keyboard.type(piece));
    }
  }
}
