import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;

beforeAll(async () => {
  web = await WebUnderTest.start();
});

afterAll(() => web[Symbol.asyncDispose]());

/** A browser that hears what the test says: `hear(words)`, and `fail(error)` for a browser that hears nothing. */
const recognition = `
  const tell = (target, type, facts) => target.dispatchEvent(Object.assign(new Event(type), facts));
  globalThis.SpeechRecognition = class extends EventTarget {
    start() {
      globalThis.hear = (...parts) => tell(this, 'result', { results: parts.map((transcript) => [{ transcript }]) });
      globalThis.fail = (error) => { tell(this, 'error', { error }); tell(this, 'end'); };
      globalThis.heardIn = this.lang;
    }
    stop() { tell(this, 'end'); }
    abort() { globalThis.isAborted = true; tell(this, 'end'); }
  };
  delete globalThis.webkitSpeechRecognition;
`;

async function openHome(script: string): Promise<Page> {
  const page = await web.context.newPage();
  await page.addInitScript(script);
  await page.goto(web.base);
  await page.getByRole('button', { name: 'Attach files' }).waitFor();
  return page;
}

describe('dictation', () => {
  it('writes what is said behind what is there, until the second press', async () => {
    const page = await openHome(recognition);
    const field = page.getByRole('textbox').first();
    await field.fill('Dear Ann,');
    await page.getByRole('button', { name: 'Dictate' }).click();
    const end = page.getByRole('button', { name: 'Stop dictation' });
    await end.waitFor();
    expect(await page.evaluate('heardIn')).toBe('en');
    await page.evaluate(`hear('thank')`);
    await expect.poll(() => field.inputValue()).toBe('Dear Ann, thank');
    await page.evaluate(`hear('thank you', ' for the report')`);
    await expect.poll(() => field.inputValue()).toBe('Dear Ann, thank you for the report');
    await examine(page, 'dictation');
    await end.click();
    await page.getByRole('button', { name: 'Dictate' }).waitFor();
    expect(await field.inputValue()).toBe('Dear Ann, thank you for the report');
    // What is sent or thrown away does not come back.
    await page.getByRole('button', { name: 'Dictate' }).click();
    await page.evaluate(`hear('and more')`);
    await expect.poll(() => field.inputValue()).toContain('and more');
    await field.fill('');
    await page.getByRole('button', { name: 'Dictate' }).waitFor();
    expect(await page.evaluate('isAborted')).toBe(true);
    await page.close();
  });

  it('says what to do when the browser does not give the microphone, and lets it go with the page', async () => {
    const page = await openHome(recognition);
    await page.getByRole('button', { name: 'Dictate' }).click();
    await page.evaluate(`fail('not-allowed')`);
    await page.getByText('Allow this page to use the microphone').waitFor();
    await page.getByRole('button', { name: 'Dictate' }).click();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await expect.poll(() => page.evaluate('isAborted')).toBe(true);
    await page.close();
  });

  it('is not offered where the browser does not have it', async () => {
    const page = await openHome('delete globalThis.SpeechRecognition; delete globalThis.webkitSpeechRecognition;');
    expect(await page.getByRole('button', { name: 'Dictate' }).count()).toBe(0);
    const headers = (await page.request.get(web.base)).headers();
    expect(headers['permissions-policy']).toContain('microphone=(self)');
    await page.close();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
