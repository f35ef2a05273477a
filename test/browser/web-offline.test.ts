import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureShift } from './page-checks.ts';
import { examine, owner, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;

beforeAll(async () => {
  web = await WebUnderTest.start({}, 'whole');
  page = await web.open('/');
  await page.evaluate(`new Promise((done) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => done(null));
    if (navigator.serviceWorker.controller) done(null);
  })`);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const visit = (path: string) => page.goto(web.base + path);

it('any page opened without the service is the application’s own, in the language of the last visit', async () => {
  await web.service.stop();
  for (const path of ['/library', '/app/AAAAAAAAAAAAAAAAAAAAAA', '/sign-in', '/elsewhere?q=1']) {
    const answer = await visit(path);
    await heading('Can’t reach the server').waitFor();
    expect([path, answer?.status(), new URL(page.url()).pathname + new URL(page.url()).search]).toEqual([path, 503, path]);
    expect(await page.title()).toBe('Can’t reach the server · Errand');
  }
  expect(await measureShift(page)).toEqual({ score: 0, moved: [] });
  await examine(page, 'offline');
  await web.context.setOffline(true);
  await heading('You’re offline').waitFor();
  await page.evaluate(`localStorage.setItem('errand.locale', 'de-DE')`);
  await visit('/library');
  await heading('Keine Internetverbindung').waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  await web.context.setOffline(false);
  await heading('Server nicht erreichbar').waitFor();
});

it('the offline page knows nothing of anybody, and nothing of the service is kept', async () => {
  const text = await page.content();
  expect(text).not.toContain(owner.email);
  expect(await page.evaluate('caches.keys()')).toEqual([]);
  expect(web.troubles.strangers).toEqual([]);
});

it('the offline page opens what was asked for as soon as the service answers', async () => {
  await page.evaluate(`localStorage.setItem('errand.locale', 'en')`);
  await web.service.restart();
  await heading('Library').waitFor();
  expect(new URL(page.url()).pathname).toBe('/library');
});

it('whoever has signed out sees no more than before: the sign-in page, or the offline page', async () => {
  await web.context.clearCookies();
  await visit('/library');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await web.service.stop();
  await visit('/library');
  await heading('Can’t reach the server').waitFor();
  await web.service.restart();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.content()).not.toContain(owner.email);
});
