import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SessionState } from './session-state.ts';

const viewport = { width: 1280, height: 800 };

function createState(cookies: readonly { name: string; value: string }[] = []): SessionState {
  return new SessionState({ cookies: () => Promise.resolve(cookies) } as unknown as BrowserContext, null);
}

/** A page with frames of several origins, each with that much in its session storage. */
function createPage(url: string, frames: number, bytes: number): Page {
  const session = [{ name: 'n', value: 'x'.repeat(bytes) }];
  const frameAt = (index: number) => ({
    url: () => `https://f${index}.test/`,
    evaluate: () => Promise.resolve({ local: [], session, scroll: [0, 0] }),
  });
  return { url: () => url, frames: () => Array.from({ length: frames }, (_, index) => frameAt(index)) } as unknown as Page;
}

describe('what is kept of a browser', () => {
  it('is bounded in bytes, whatever the script that it is written in', async () => {
    const value = '語'.repeat(60_000);
    const state = createState(['a', 'b', 'c'].map((name) => ({ name, value })));
    const { cookies } = await state.read([createPage('https://site.test/', 0, 0)], 0, viewport);
    expect(cookies.map(({ name }) => name)).toEqual(['b', 'c']);
  });

  it('names the tab that is shown, also where one before it has no room', async () => {
    const state = createState();
    const large = ['one', 'two'].map((name) => createPage(`https://site.test/${name}`, 4, 120_000));
    const pages = [...large, createPage('https://site.test/three', 1, 10)];
    for (const page of pages) await state.note(page);
    for (const [active, shown] of [
      [1, 'two'],
      [2, 'three'],
      [0, 'two'],
    ] as const) {
      const { tabs, active: kept } = await state.read(pages, active, viewport);
      expect(tabs).toHaveLength(2);
      expect(tabs[kept]?.url).toBe(`https://site.test/${shown}`);
    }
  });
});
