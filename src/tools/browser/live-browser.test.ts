import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { BrowserUnderTest, type BrowserTask, hasBrowser } from '../../../test/support/tools/browser-under-test.ts';
import {
  type BrowserInput,
  type BrowserMessage,
  browserTopic,
  isHarmlessJpeg,
  readBrowserMessage,
  type ViewerMessage,
  viewersTopic,
} from '../../rules/browser/live-browser.ts';

const canary = 'CanaryWord77';
const pages: Record<string, string> = {
  '/': `<title>Form</title><body style="margin:0"><form action="/found"><input name=q aria-label="Search"
    style="position:absolute;left:100px;top:100px;width:300px;height:40px"></form><p id=out></p><script>
    document.querySelector('input').oninput = (event) => { out.textContent = 'you wrote ' + event.target.value; };</script>`,
  '/clicks': `<title>Clicks</title><body style="margin:0;height:4000px"><script>
    const seen = [];
    for (const kind of ['click', 'dblclick']) addEventListener(kind, ({ detail }) => {
      seen.push(kind + detail);
      if (detail === 3 || seen.length > 9) location = '/found?' + seen.join('-');
    });</script>`,
  '/other': '<title>Other</title>another page',
};

const clock = new TestClock();
let browser: BrowserUnderTest;
let task: BrowserTask;
/** Resolves with what answers it when a page is asked for that is slow. */
let slow = Promise.withResolvers<() => void>();

beforeEach(async () => {
  if (!hasBrowser) return;
  slow = Promise.withResolvers();
  const answer = (url = '') => pages[url] ?? `<title>Found ${decodeURIComponent(url)}</title>for ${url}`;
  browser = await BrowserUnderTest.open(
    ({ url }, response) => {
      if (url !== '/slow') return answer(url);
      slow.resolve(() => response.writeHead(200, { 'content-type': 'text/html' }).end('at last'));
      return null;
    },
    { clock },
  );
  task = browser.task();
});

afterEach(() => browser?.close());

/** Somebody who looks at the browser. */
class Viewer {
  readonly seen: BrowserMessage[] = [];
  readonly #name: string;
  readonly #end: () => void;
  #wake: () => void = () => undefined;

  constructor(name = 'a1:one') {
    this.#name = name;
    this.#end = browser.channel.subscribe(browserTopic('t1'), (text) => {
      const message = readBrowserMessage(text);
      if (message) this.seen.push(message);
      this.#wake();
    });
  }

  say(kind: 'watch' | 'leave' | 'take' | 'hand_back'): void {
    this.#send({ kind, viewer: this.#name });
  }

  act(...inputs: BrowserInput[]): void {
    this.#send({ kind: 'input', viewer: this.#name, inputs });
  }

  get last(): BrowserMessage | undefined {
    return this.seen.at(-1);
  }

  async picture(count = 1): Promise<BrowserMessage[]> {
    const pictures = () => this.seen.filter(({ picture }) => picture);
    while (pictures().length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
    return pictures();
  }

  end(): void {
    this.#end();
  }

  #send(message: ViewerMessage): void {
    browser.channel.publish(viewersTopic('t1'), JSON.stringify(message));
  }
}

const open = (path: string) => ({ do: 'open', url: `${browser.site}${path}` });
const field = { do: 'click', x: 200, y: 120, button: 'left', count: 1 } as const;

describe.skipIf(!hasBrowser)('a live browser', () => {
  it('shows JPEG pictures to those who watch, and sends none to nobody', async () => {
    await task.see(open('/'));
    const viewer = new Viewer();
    await task.see(open('/other'));
    expect(viewer.seen).toEqual([]);
    viewer.say('watch');
    const [first] = await viewer.picture();
    expect(first?.picture).toMatchObject({ width: 1280, height: 800 });
    expect(isHarmlessJpeg(first?.picture?.data ?? '')).toBe(true);
    expect(first).toMatchObject({ isOpen: true, holder: null });
    viewer.say('leave');
    const count = viewer.seen.length;
    await task.see(open('/'));
    expect(viewer.seen.length).toBe(count);
    viewer.end();
  });

  it('lets a person type, whose words reach the page and neither the report nor what the page makes of them', async () => {
    await task.see(open('/'));
    const viewer = new Viewer();
    viewer.say('watch');
    await viewer.picture();
    viewer.say('take');
    expect(viewer.last).toMatchObject({ holder: 'a1:one', isHeld: true });
    viewer.act(field, { do: 'type', text: canary }, { do: 'press', keys: 'Enter' });
    await expect.poll(() => browser.requests.at(-1), { timeout: 20_000 }).toContain(`/found?q=${canary}`);
    viewer.say('hand_back');
    const seen = await task.see(
      { do: 'look' },
      { do: 'evaluate', expression: 'document.title + location' },
      { do: 'screenshot', path: 'shot.png' },
    );
    expect(seen).toContain('a person has used the browser meanwhile');
    expect(seen).toContain('/found?q=(typed by a person)');
    expect(seen).not.toContain(canary);
    viewer.end();
  });

  it('makes calls of the agent wait until a person hands the browser back, and those that run end first', async () => {
    await task.see(open('/'));
    const viewer = new Viewer();
    viewer.say('watch');
    const running = task.see(open('/slow'));
    const answerSlow = await slow.promise;
    viewer.say('take');
    expect(viewer.last).toMatchObject({ holder: 'a1:one', isHeld: false });
    answerSlow();
    await running;
    expect(viewer.last).toMatchObject({ holder: 'a1:one', isHeld: true });
    let isDone = false;
    const waiting = task.see(open('/other')).then((seen) => ((isDone = true), seen));
    viewer.act(field, { do: 'type', text: 'ab' });
    await viewer.picture(2);
    expect([isDone, browser.requests.filter((line) => line.includes('/other'))]).toEqual([false, []]);
    viewer.say('hand_back');
    expect(await waiting).toContain('another page');
    viewer.end();
  });

  it('passes clicks on as they were made: the second of a double click is not two more', async () => {
    await task.see(open('/clicks'));
    const viewer = new Viewer();
    viewer.say('watch');
    await viewer.picture();
    viewer.say('take');
    viewer.act(...[1, 2, 3].map((count) => ({ ...field, count })));
    await expect.poll(() => browser.requests.at(-1), { timeout: 20_000 }).toContain('/found?click1-click2-dblclick2-click3');
    viewer.end();
  });

  it('stays with a person whose connection breaks for some seconds, and who then sees it again', async () => {
    await task.see(open('/'));
    const viewer = new Viewer();
    viewer.say('watch');
    await viewer.picture();
    viewer.say('take');
    viewer.say('leave');
    for (let at = 0; at < 5; at += 1) await clock.advance(1000);
    viewer.say('watch');
    expect(viewer.last).toMatchObject({ holder: 'a1:one', isHeld: true, picture: { width: 1280 } });
    // An old connection whose end is noticed late takes nothing from the new one.
    viewer.say('leave');
    viewer.say('watch');
    for (let at = 0; at < 8; at += 1) {
      await clock.advance(1000);
      viewer.say('watch');
    }
    expect(viewer.last).toMatchObject({ holder: 'a1:one' });
    const waiting = task.see(open('/other'));
    viewer.say('leave');
    for (let at = 0; at < 8; at += 1) await clock.advance(1000);
    expect(await waiting).toContain('another page');
    viewer.end();
  });

  it('is handed back by a page that says no more, and belongs to one person at a time', async () => {
    await task.see(open('/'));
    const [viewer, other] = [new Viewer(), new Viewer('a1:two')];
    viewer.say('take');
    expect(viewer.seen).toEqual([]);
    for (const one of [viewer, other]) one.say('watch');
    viewer.say('take');
    other.say('take');
    other.say('hand_back');
    expect(other.last).toMatchObject({ holder: 'a1:one' });
    const waiting = task.see(open('/other'));
    for (let at = 0; at < 8; at += 1) {
      await clock.advance(1000);
      other.say('watch');
    }
    expect(other.last).toMatchObject({ holder: null });
    expect(await waiting).toContain('another page');
    for (const one of [viewer, other]) one.end();
  });

  it('ends the wait of a call that is stopped, and takes nothing from the browser of another task', async () => {
    await task.see(open('/'));
    const viewer = new Viewer();
    viewer.say('watch');
    viewer.say('take');
    const stop = new AbortController();
    const waiting = task.browse([open('/other')], { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    const stranger = browser.task('a2', 't2');
    expect(await stranger.see(open('/other'))).toContain('another page');
    viewer.end();
  });
});

describe('a picture out of the sandbox', () => {
  it('is shown only if it is a JPEG of a harmless size', () => {
    const jpeg = (width: number, height: number) => {
      const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 0, 0, 0, 0]);
      bytes.writeUInt16BE(height, 13);
      bytes.writeUInt16BE(width, 15);
      return bytes.toString('base64');
    };
    expect(isHarmlessJpeg(jpeg(1280, 800))).toBe(true);
    for (const hostile of [jpeg(65_000, 65_000), jpeg(0, 0), Buffer.from('<svg onload=alert(1)>').toString('base64'), '']) {
      expect(isHarmlessJpeg(hostile)).toBe(false);
    }
  });
});
