import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpServerUnderTest } from '../support/connectors/mcp-server-under-test.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { type BusyAccount, fillAccount } from './busy-account.ts';
import { audit } from './chromium.ts';
import { findCutOff, listRoutes, measureShift, settle, walkByKeyboard } from './page-checks.ts';
import { savePicture, WebUnderTest } from './web-under-test.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const desktop = { width: 1440, height: 900 };
/** As narrow as a page gets at 400 % zoom (WCAG 1.4.10). */
const phone = { width: 320, height: 640 };
const mostShift = 0.05;

let web: WebUnderTest;
let receiver: Receiver;
let server: McpServerUnderTest;
let busy: BusyAccount;
let paths: string[];

beforeAll(async () => {
  receiver = await Receiver.start();
  server = await McpServerUnderTest.start();
  web = await WebUnderTest.start({ ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true' });
  busy = await fillAccount(web, receiver, server);
  const { share_url: shared } = (await web.call('task.update', { task_id: busy.taskId, share_visibility: 'public' })) as {
    share_url: string;
  };
  const ids: Record<string, string> = {
    ...busy,
    operation: 'task.create',
    shareId: new URL(shared).pathname.split('/').at(-1) ?? '',
  };
  const routes = listRoutes(readFileSync(`${checkout}/web/src/app/routes.tsx`, 'utf8'));
  paths = [...routes, '/agent?view=subtasks', '/inbox?view=decided', '/memory?path=people%2Fada.md', '/settings/nowhere'].map(
    (path) => path.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name] ?? 'missing'),
  );
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await receiver.stop();
  await server[Symbol.asyncDispose]();
});

/** A browser of the same person. */
async function openContext(options: Parameters<typeof web.browser.newContext>[0]): Promise<BrowserContext> {
  const storageState = await web.context.storageState();
  return web.browser.newContext({ storageState, locale: 'en-GB', ...options });
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(web.base + path);
  await settle(page);
}

/** What is found on each page, by its address; nothing where nothing is wrong. */
async function findOnAll(page: Page, look: (path: string) => Promise<unknown[]>): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const path of paths) {
    const wrong = await visit(page, path).then(
      () => look(path),
      (error: unknown) => [String(error)],
    );
    if (wrong.length > 0) found[path] = wrong;
  }
  return found;
}

const nameOf = (path: string) => path.replaceAll(/[^a-z]+/gi, '-').slice(0, 40);

/** Whether what a control is called begins with what it shows. */
const labelRule = 'label-content-name-mismatch';

/** What a page that is loaded shows of itself; in a language that only the application speaks, labels and content differ. */
async function lookAt(page: Page, name: string, isOneLanguage: boolean): Promise<unknown[]> {
  const { score, moved } = await measureShift(page);
  const rules = { 'target-size': { enabled: true }, ...(!isOneLanguage && { [labelRule]: { enabled: false } }) };
  const violations = await audit(page, false, { rules });
  await savePicture(page, name);
  const headings = await page.locator('h1:visible').count();
  return [
    ...violations,
    ...(await findCutOff(page)),
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
    ...(score < mostShift ? [] : [`moved by ${score}`, ...moved]),
  ];
}

/** The same in the dark theme, where only colors differ. */
async function lookInTheDark(page: Page, name: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const pale = await audit(page, false, { runOnly: ['color-contrast'] });
  await savePicture(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  return pale.map((one) => `dark: ${one}`);
}

/** The same with text of twice the size, in forced colors. */
async function lookEnlarged(page: Page, name: string): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  const found = await findCutOff(page);
  await savePicture(page, `${name}-forced`);
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
  await page.emulateMedia({ forcedColors: 'none' });
  return found.map((one) => `enlarged: ${one}`);
}

/** The labels of what only a phone shows. */
async function lookAtLabels(page: Page): Promise<string[]> {
  await page.setViewportSize(phone);
  const found = await audit(page, false, { runOnly: [labelRule] });
  await page.setViewportSize(desktop);
  return found.map((one) => `phone: ${one}`);
}

// Every page is loaded twice, which takes its time: what is wrong with one of them is seen on no other.
describe('every page of a busy account', () => {
  it('is accessible, does not shift while loading, shows the keyboard focus, and never traps it', async () => {
    expect(paths.length).toBeGreaterThan(20);
    const context = await openContext({ viewport: desktop });
    const page = await context.newPage();
    let stops = 0;
    const found = await findOnAll(page, async (path) => {
      const name = `pages${nameOf(path)}`;
      const seen = [
        ...(await lookAt(page, name, true)),
        ...(await lookInTheDark(page, name)),
        ...(await lookEnlarged(page, name)),
        ...(await lookAtLabels(page)),
      ];
      const walk = await walkByKeyboard(page);
      stops += walk.stops;
      return [...seen, ...walk.problems];
    });
    await context.close();
    expect(found).toEqual({});
    expect(stops).toBeGreaterThan(300);
  });

  it('is so on a phone and at 400 % zoom, and complete there and on a desktop, in a language of one file whose words are 40 % longer', async () => {
    const { output } = (await build({
      root: checkout,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        rolldownOptions: {
          input: 'test/browser/pseudo-language.ts',
          preserveEntrySignatures: 'strict',
          output: { format: 'es' },
        },
      },
    })) as Rolldown.RolldownOutput;
    const context = await openContext({ viewport: phone, hasTouch: true });
    let given = 0;
    await context.route(/\/assets\/zh-[^/]*\.js$/, async (route) => {
      given += 1;
      await route.fulfill({ contentType: 'text/javascript', body: output[0].code });
    });
    await context.route(/\/web\/session\.show/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { account: { locale: string } };
      await route.fulfill({ response: answer, json: { ...body, account: { ...body.account, locale: 'zh' } } });
    });
    const page = await context.newPage();
    const found = await findOnAll(page, async (path) => {
      const narrow = await lookAt(page, `pages${nameOf(path)}-long-phone`, false);
      await page.setViewportSize(desktop);
      const wide = await findCutOff(page);
      await savePicture(page, `pages${nameOf(path)}-long`);
      await page.setViewportSize(phone);
      return [...narrow, ...wide.map((one) => `desktop: ${one}`)];
    });
    await context.close();
    expect(given).toBeGreaterThan(0);
    expect(found).toEqual({});
  });

  it('caused no error, no policy violation, and no request to another host in all of this', () => {
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
