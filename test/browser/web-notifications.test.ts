import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovingClock } from '../support/base/moving-clock.ts';
import { PushService } from '../support/notifications/push-service.ts';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

const phone = { width: 390, height: 844 };

const clock = new MovingClock();
let push: PushService;
let web: WebUnderTest;
let page: Page;
let hand: PageHand;

/** In place of the push service of the browser's vendor, which no test can reach. */
const replacePushManager = (subscription: object) => `{
  const subscription = ${JSON.stringify(subscription)};
  const made = { ...subscription, toJSON: () => subscription, unsubscribe: async () => true };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('test.push') === 'on' ? made : null);
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem('test.push', 'on');
    return made;
  };
}`;

beforeAll(async () => {
  push = await PushService.start();
  const env = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true' };
  // In the next month, which does not end during the test: its budget is the same one throughout.
  const today = new Date();
  clock.advance(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 2) - clock.now());
  web = await WebUnderTest.start(env, 'whole', clock);
  await web.context.addInitScript(replacePushManager(push.subscribe('/phone')));
  // Without a person to ask, this browser refuses.
  await web.context.grantPermissions(['notifications'], { origin: web.base });
  page = await web.open('/settings/notifications');
  await page.setViewportSize(phone);
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await push.stop();
});

/** Hands what the push service has taken to the browser. */
async function deliver(data: string): Promise<void> {
  const client = await web.context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await client.send('ServiceWorker.enable');
  await client.send('ServiceWorker.deliverPushMessage', { origin: web.base, registrationId: await registered, data });
  await client.detach();
}

const shown = () =>
  page.evaluate<{ title: string; body: string }[]>(
    `navigator.serviceWorker.getRegistration('/').then((one) => one.getNotifications())
      .then((all) => all.map(({ title, body }) => ({ title, body })))`,
  );

describe('notifications on a phone', () => {
  it('are asked for with a click, and turned on', async () => {
    await page.getByText('Nothing is sent to this device.').waitFor();
    await examine(page, 'notifications');
    await page.setViewportSize(phone);
    await hand.press('Turn on');
    await hand.said('Notifications are on.').waitFor();
    await hand.press('Send a test');
    await push.received(1);
    expect(push.messages[0]?.notice).toMatchObject({ title: 'Errand', body: 'Notifications reach this device.' });
  });

  it('are for what is wanted, and not at night', async () => {
    await page.getByRole('group', { name: 'Finished tasks' }).getByRole('checkbox', { name: 'Devices' }).click();
    await page.getByRole('switch', { name: 'Don’t notify me at certain hours' }).click();
    await page.getByLabel('From').waitFor();
    await expect
      .poll(() => web.call('notification.show').then(({ settings }) => settings))
      .toMatchObject({ topics: { finished: [], questions: ['push'] }, quiet_hours: '22:00-07:00' });
    await page.getByRole('switch', { name: 'Don’t notify me at certain hours' }).click();
    await expect.poll(() => web.call('notification.show').then(({ settings }) => settings)).toMatchObject({ quiet_hours: '' });
  });

  it('tell of a scheduled task that has used up its budget, which is raised from the inbox', async () => {
    await web.call('budget.set', { scope: 'account', period: 'month', credits: 1 });
    await web.runTask(['Hello']);
    await page.goto(`${web.base}/schedules`);
    await hand.press('New schedule');
    await hand.field('Name').fill('Report');
    await hand.field('Task description').fill('write report.md with Hello');
    await page.getByRole('combobox', { name: 'When', exact: true }).selectOption({ label: 'Every day' });
    await hand.press('Create', hand.dialog());
    await page.waitForURL('**/schedules/*');
    const scheduleId = new URL(page.url()).pathname.slice('/schedules/'.length);
    const { schedule } = await web.call('schedule.detail', { schedule_id: scheduleId });
    clock.advance(Number((schedule as Answer).next_run_at) * 1000 - clock.now());
    const { notice } = (await push.received(2))[1] ?? {};
    expect(notice).toMatchObject({ title: 'Report', path: expect.stringMatching(/^\/inbox#/) as string });
    await deliver(JSON.stringify(notice));
    await expect.poll(shown).toEqual([{ title: 'Report', body: notice?.body }]);
    const [worker] = web.context.serviceWorkers();
    await worker?.evaluate(
      `self.registration.getNotifications().then(([notification]) =>
        self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))`,
    );
    await page.waitForURL((url) => url.pathname === '/inbox');
    const item = page.getByRole('article');
    await item.getByText('Report').waitFor();
    await hand.field('The new budget, in credits.', item).fill('20');
    await hand.press('Accept', item);
    await hand.said('Decided. The task continues.').waitFor();
    await page.goto(`${web.base}/schedules/${scheduleId}`);
    await page.getByRole('table', { name: 'History' }).getByText('Started').waitFor();
    const { data: tasks } = await web.call('task.list');
    expect((tasks as Answer[]).map(({ title }) => title)).toContain('Report');
    await expect
      .poll(() => web.call('task.list').then(({ data }) => (data as Answer[]).map(({ status }) => status)))
      .toEqual(['stopped', 'stopped']);
    expect(await shown()).toEqual([]);
  });

  it('are turned off, and the application can be installed', async () => {
    await page.goto(`${web.base}/settings/notifications`);
    await hand.press('Turn off');
    await hand.said('Notifications are off.').waitFor();
    const manifest = await page.evaluate<{ display: string; icons: { src: string }[] }>(
      "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())",
    );
    expect(manifest).toMatchObject({
      display: 'standalone',
      icons: [{ sizes: '192x192' }, { sizes: '512x512' }, { purpose: 'maskable' }],
    });
    for (const { src } of manifest.icons) expect((await fetch(web.base + src)).headers.get('content-type')).toBe('image/png');
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
