import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { PictureLine } from '../browser-messages.ts';
import { LiveView } from './live-view.ts';
import type { Tabs } from './tabs.ts';

/** A tab whose first key waits for the test. */
class SlowPage {
  typed = '';
  /** Lets the key that waits through. */
  press = () => undefined as void;
  readonly keyboard = {
    type: async (key: string) => {
      if (this.typed === '')
        await new Promise<void>((resolve) => {
          this.press = resolve;
          this.wake();
        });
      this.typed += key;
    },
  };
  readonly mouse = {};
  wake = () => undefined as void;

  frames(): [] {
    return [];
  }

  /** Resolves when a key waits. */
  untilPressed(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}

function viewOf(page: object, say: (line: PictureLine) => void = () => undefined) {
  const notes: string[] = [];
  const tabs = { page: page as Page, notify: (text: string) => notes.push(text) };
  return { view: new LiveView(tabs as unknown as Tabs, say, 0), notes };
}

/** A tab of which there are pictures at the second attempt. */
class LatePage {
  readonly #fails: 'session' | 'start';
  sessions = 0;
  detached = 0;
  starts = 0;

  constructor(fails: 'session' | 'start') {
    this.#fails = fails;
  }

  context() {
    return { newCDPSession: () => this.#open() };
  }

  #open() {
    this.sessions += 1;
    if (this.#fails === 'session' && this.sessions === 1) return Promise.reject(new Error('the tab has no session yet'));
    let show = (_frame: object): void => undefined;
    return Promise.resolve({
      on: (_name: string, listener: typeof show) => (show = listener),
      send: (method: string) => {
        if (method !== 'Page.startScreencast') return Promise.resolve();
        this.starts += 1;
        if (this.#fails === 'start' && this.starts === 1) return Promise.reject(new Error('the tab does not answer'));
        show({ data: 'aaaa', metadata: { deviceWidth: 1280, deviceHeight: 800 }, sessionId: 1 });
        return Promise.resolve();
      },
      detach: () => {
        this.detached += 1;
        return Promise.resolve();
      },
    });
  }
}

it('does no more of what a person wanted who gave the browser back long ago, not even the rest of a word', async () => {
  const page = new SlowPage();
  const { view, notes } = viewOf(page);
  const waits = page.untilPressed();
  view.handle({
    do: 'input',
    inputs: [
      { do: 'type', text: 'secret' },
      { do: 'type', text: 'more' },
    ],
  });
  view.handle({ do: 'input', inputs: [{ do: 'type', text: 'last' }] });
  await waits;
  view.handle({ do: 'release' });
  let isReleased = false;
  const released = view.untilReleased().then(() => (isReleased = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([isReleased, page.typed]).toEqual([false, '']);
  page.press();
  await released;
  expect(page.typed).toBe('s');
  expect(notes).toHaveLength(1);
});

it.each(['session', 'start'] as const)('shows a tab that could not be shown at first: %s', async (fails) => {
  const page = new LatePage(fails);
  const shown = Promise.withResolvers<PictureLine>();
  const { view } = viewOf(page, shown.resolve);
  view.handle({ do: 'watch', on: true });
  expect(await shown.promise).toEqual({ picture: { data: 'aaaa', width: 1280, height: 800 } });
  view.handle({ do: 'watch', on: false });
  view.handle({ do: 'release' });
  await view.untilReleased();
  // None is left that nobody looks at.
  expect([page.sessions, page.detached]).toEqual([2, fails === 'session' ? 1 : 2]);
});
