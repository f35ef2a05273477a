import type { BrowserContext, Frame, Page } from 'playwright-core';
import type { BrowserSession, KeptCookie, KeptItems, KeptTab } from '../browser-messages.ts';
import { within } from './deadline.ts';

const answerMs = 1_000;
const loadMs = 10_000;
/** How long a restored page may take to load its images and reach its former length. */
const placeMs = 4_000;
const mostCookies = 500;
const mostOrigins = 30;
const mostItems = 200;
/** The most characters of one value, and the most bytes kept of each kind. */
const longestValue = 64 * 1024;
const mostBytes = 512 * 1024;

interface Seen {
  origin: string;
  local: KeptItems;
  session: KeptItems;
  scroll: [number, number];
}

/** Runs in a page, which may answer anything. */
const look = `(() => {
  const list = (storage) => Object.entries(storage).slice(0, ${mostItems}).map(([name, value]) => ({ name, value: String(value) })).filter(({ value }) => value.length <= ${longestValue});
  return { origin: location.origin, local: list(localStorage), session: list(sessionStorage), scroll: [scrollX, scrollY] };
})()`;

function cleanItems(items: unknown): KeptItems {
  if (!Array.isArray(items)) return [];
  let bytes = 0;
  return (items as { name?: unknown; value?: unknown }[]).slice(0, mostItems).flatMap((item) => {
    const [name, value] = [item?.name, item?.value];
    if (typeof name !== 'string' || typeof value !== 'string') return [];
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    return bytes <= mostBytes / 4 ? [{ name, value }] : [];
  });
}

async function lookInto(frame: Frame): Promise<Seen | null> {
  const origin = URL.parse(frame.url())?.origin ?? 'null';
  if (!/^https?:/.test(origin)) return null;
  const seen = await within(answerMs, frame.evaluate<Partial<Seen> | null>(look));
  if (seen === 'late' || seen === null || typeof seen !== 'object') return null;
  const [x, y] = Array.isArray(seen.scroll) ? seen.scroll.map(Number) : [];
  const scroll: [number, number] = [Number.isFinite(x) ? Number(x) : 0, Number.isFinite(y) ? Number(y) : 0];
  // The address that the browser names, not the one that the page names.
  return { origin, local: cleanItems(seen.local), session: cleanItems(seen.session), scroll };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The last of them that fit. */
function keepWithin<Value>(values: readonly Value[], bytes: number): Value[] {
  let sum = 0;
  const kept = values.toReversed().filter((value) => (sum += sizeOf(value)) <= bytes);
  return kept.toReversed();
}

/** What the pages of a browser have stored, noted while they are open: nothing else can be asked of a page that is gone. */
export class SessionState {
  readonly #context: BrowserContext;
  readonly #origins: Map<string, KeptItems>;
  readonly #tabs = new WeakMap<Page, KeptTab>();
  #cookies: KeptCookie[];

  constructor(context: BrowserContext, session: BrowserSession | null) {
    this.#context = context;
    this.#cookies = session?.cookies ?? [];
    this.#origins = new Map(session?.origins.map(({ origin, localStorage }) => [origin, localStorage]));
  }

  async note(page: Page): Promise<void> {
    const seen = (await Promise.all(page.frames().map(lookInto))).filter((one) => one !== null);
    for (const { origin, local } of seen) {
      this.#origins.delete(origin);
      if (local.length > 0) this.#origins.set(origin, local);
    }
    const storage = seen.flatMap(({ origin, session }) => (session.length > 0 ? [{ origin, items: session }] : []));
    const before = this.#tabs.get(page);
    const isHung = seen.length === 0 && before?.url === page.url();
    if (!isHung)
      this.#tabs.set(page, { url: page.url(), scroll: seen[0]?.scroll ?? [0, 0], storage: keepWithin(storage, mostBytes) });
  }

  async read(pages: readonly Page[], active: number, viewport: BrowserSession['viewport']): Promise<BrowserSession> {
    const cookies = await within(answerMs, this.#context.cookies());
    if (cookies !== 'late') this.#cookies = keepWithin(cookies.slice(-mostCookies) as KeptCookie[], mostBytes);
    const origins = [...this.#origins].slice(-mostOrigins).map(([origin, localStorage]) => ({ origin, localStorage }));
    const tabs = pages.map(
      (page) => this.#tabs.get(page) ?? { url: page.url(), scroll: [0, 0] as [number, number], storage: [] },
    );
    const kept = keepWithin(tabs, mostBytes);
    return {
      cookies: this.#cookies,
      origins: keepWithin(origins, mostBytes),
      tabs: kept.map((tab) => ({ ...tab, url: tab.url.slice(0, 8192) })),
      active: Math.max(
        0,
        kept.findIndex((tab) => tab === tabs[active]),
      ),
      viewport,
    };
  }
}

function fillScript(storage: KeptTab['storage']): string {
  return `(() => {
  for (const { origin, items } of ${JSON.stringify(storage)}) {
    if (origin === location.origin) for (const { name, value } of items) sessionStorage.setItem(name, value);
  }
})()`;
}

/** Loads a tab as it was, as far as that can be. */
export async function restoreTab(page: Page, { url, scroll, storage }: KeptTab): Promise<void> {
  if (!/^https?:/.test(url)) return;
  const devtools = await page.context().newCDPSession(page);
  // Only for this load: what the page removes afterward must not come back.
  await devtools.send('Page.enable');
  const script = await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source: fillScript(storage) });
  await page.goto(url, { timeout: loadMs, waitUntil: 'domcontentloaded' }).catch(() => undefined);
  await devtools.send('Page.removeScriptToEvaluateOnNewDocument', script);
  await devtools.detach();
  await within(placeMs, page.waitForLoadState('load', { timeout: placeMs }));
  await within(placeMs, page.evaluate(`scrollTo(${scroll.join()})`));
}
