import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { PictureLine } from '../browser-messages.ts';
import { LiveView } from './live-view.ts';
import type { Tabs } from './tabs.ts';

/** A tab whose keys wait for the test. */
class SlowPage {
  typed = '';
  /** Lets the key that waits through. */
  press = () => undefined as void;
  readonly keyboard = {
    type: async (key: string) => {
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
  return { view: new LiveView(tabs as unknown as Tabs, say), notes };
}

it('does no more of what a person wanted who has given the browser back, not even the rest of a word', async () => {
  const page = new SlowPage();
  const { view, notes } = viewOf(page);
  const waits = page.untilPressed();
  view.handle({ do: 'input', inputs: [{ do: 'type', text: 'secret' }, { do: 'type', text: 'more' }] });
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
