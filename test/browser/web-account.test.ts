import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Receiver } from '../support/webhooks/receiver.ts';
import { TelegramServer } from '../support/bridges/telegram-server.ts';
import { audit } from './chromium.ts';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, owner, WebUnderTest } from './web-under-test.ts';

const bob = { email: 'bob@example.com', password: 'a long password of bob' };

/** Other work on the machine may take its time. */

let web: WebUnderTest;
let hand: PageHand;
let page: Page;
let receiver: Receiver;
let telegram: TelegramServer;

beforeAll(async () => {
  [receiver, telegram] = await Promise.all([Receiver.start(), TelegramServer.start()]);
  const allowed = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true', ERRAND_CREDITS: 'enforced' };
  web = await WebUnderTest.startEmpty({ ...telegram.env, ...allowed });
  page = await web.open('/');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await Promise.all([receiver.stop(), telegram.stop()]);
});

describe('the first visit', () => {
  it('sets up the owner and leads to the first task', async () => {
    await page.waitForURL('**/set-up');
    await page.getByLabel('Password at least').fill(owner.password);
    await page.getByLabel('Confirm password').fill('another password');
    await page.getByLabel('Email').fill(owner.email);
    await hand.press('Create account');
    await page
      .getByRole('alert')
      .getByText(/don’t match/)
      .waitFor();
    await web.setUp(page);
    await hand.field('Task description').fill('say the first words');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/app/*');
    await page.getByText('the first words', { exact: true }).last().waitFor();
    // Nobody else can set it up again.
    const again = await fetch(`${web.base}/set-up`);
    expect([again.status, await again.text()]).toEqual([404, expect.stringContaining('Setup is already complete')]);
  });

  it('shows the curl command that creates the task on screen', async () => {
    await hand.press('More task actions');
    await page.getByRole('menuitem', { name: 'Show as curl' }).click();
    await expect.poll(() => hand.dialog().innerText()).toContain('say the first words');
    await expect.poll(() => hand.dialog().innerText()).toContain(`${web.base}/v2/task.create`);
    await page.keyboard.press('Escape');
  });
});

describe('a team', () => {
  let link: string;
  let bobPage: Page;

  it('is joined by an invitation that is shown once, which tells others that it is not for them', async () => {
    await web.operate('account.create', { ...bob });
    await page.goto(`${web.base}/team`);
    await hand.field('Team name').fill('Research');
    await hand.press('Create team');
    await hand.field('Email').fill('nobody@');
    await hand.field('Email').fill(bob.email);
    await hand.press('Create invite link');
    link = (await hand.dialog(`Invite link for ${bob.email}`).locator('code').textContent()) ?? '';
    await hand.press('Done', hand.dialog());
    await page.reload();
    await page.getByRole('button', { name: `Revoke: ${bob.email}` }).waitFor();
    expect(await page.content()).not.toContain(link);
    // For the owner, whose address it does not have, the invitation does not exist.
    await page.goto(link);
    await page.getByRole('heading', { name: 'This invitation isn’t valid' }).waitFor();
    bobPage = await web.open(new URL(link).pathname + new URL(link).search, await web.newVisitor());
    await web.signIn(bobPage, bob.email, bob.password);
    await bobPage.getByText('invited to join Research as a member').waitFor();
    await examine(bobPage, 'team-accept');
    await bobPage.getByRole('button', { name: 'Join team' }).click();
    await bobPage.getByRole('heading', { name: 'Members' }).waitFor();
    expect(await bobPage.getByRole('heading', { name: 'Invite people' }).count()).toBe(0);
    await bobPage.goto(link);
    await bobPage.getByRole('heading', { name: 'This invitation isn’t valid' }).waitFor();
    await examine(bobPage, 'team-accept-gone');
  });

  it('has roles that its owner can change, and members that can be removed', async () => {
    await page.goto(`${web.base}/team`);
    await page.getByRole('combobox', { name: `Role of ${bob.email}` }).selectOption('admin');
    await hand.said('Role changed.').waitFor();
    await bobPage.goto(`${web.base}/team`);
    await bobPage.getByRole('heading', { name: 'Invite people' }).waitFor();
    expect(await bobPage.getByRole('button', { name: `Remove: ${owner.email}` }).count()).toBe(0);
    // Whoever thinks better of it is where they were.
    await hand.press(`Remove: ${bob.email}`);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe(`Remove: ${bob.email}`);
    await hand.press(`Remove: ${bob.email}`);
    await hand.dialog(`Remove ${bob.email}?`).waitFor();
    await hand.press('Remove', hand.dialog());
    await hand.said(`${bob.email} was removed from the team.`).waitFor();
    await bobPage.reload();
    await bobPage.getByRole('heading', { name: 'You’re not in a team' }).waitFor();
  });

  it('invalidates a withdrawn invitation', async () => {
    await hand.field('Email').fill(bob.email);
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('admin');
    await hand.press('Create invite link');
    const second = (await hand.dialog().locator('code').textContent()) ?? '';
    await hand.press('Done', hand.dialog());
    await bobPage.goto(second);
    await bobPage.getByText('as an admin').waitFor();
    await hand.press(`Revoke: ${bob.email}`);
    await hand.said(/revoked/).waitFor();
    await bobPage.getByRole('button', { name: 'Join team' }).click();
    await bobPage.getByRole('heading', { name: 'This invitation isn’t valid' }).waitFor();
    const { data } = (await web.callWeb('team.members')) as { data: { email: string }[] };
    expect(data.map(({ email }) => email)).toEqual([owner.email]);
  });

  it('is joined by somebody without an account, whom the invite link lets choose a password', async () => {
    await page.goto(`${web.base}/team`);
    await hand.field('Email').fill('carol@example.com');
    await hand.press('Create invite link');
    await hand
      .dialog()
      .getByText(/they create one with it/)
      .waitFor();
    const third = (await hand.dialog().locator('code').textContent()) ?? '';
    await hand.press('Done', hand.dialog());
    const carolPage = await web.open(new URL(third).pathname + new URL(third).search, await web.newVisitor());
    await carolPage.getByRole('heading', { name: 'Join Research' }).waitFor();
    await examine(carolPage, 'team-join');
    await carolPage.getByLabel('Password at least').fill('a long password of carol');
    await carolPage.getByLabel('Confirm password').fill('a long password of carol');
    await carolPage.getByRole('button', { name: 'Create account' }).click();
    await carolPage.waitForURL((url) => url.pathname === '/');
    await carolPage.goto(`${web.base}/team`);
    await carolPage.getByText('carol@example.com').first().waitFor();
    const { data } = (await web.callWeb('team.members')) as { data: { email: string }[] };
    expect(data.map(({ email }) => email)).toEqual([owner.email, 'carol@example.com']);
  });
});

describe('usage', () => {
  it('is shown as a chart, as pages of records, as a download, and for the team', async () => {
    for (let index = 0; index < 55; index += 1) await web.operate('credits.grant', { credits: index + 1 });
    await page.goto(`${web.base}/usage`);
    const records = page.getByRole('table', { name: 'Transactions' });
    await records.waitFor();
    expect(await records.getByRole('row').count()).toBe(51);
    await hand.press('Show more');
    await expect.poll(() => records.getByRole('row').count()).toBeGreaterThan(56);
    await page.getByRole('table', { name: 'Usage by day' }).waitFor({ state: 'attached' });
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).last().click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('errand-credits.csv');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toBe('time,type,credits,title,task_id');
    expect(lines.length).toBe(await records.getByRole('row').count());
    expect(lines.filter((line) => line.includes(',grant,')).length).toBeGreaterThanOrEqual(55);
  });
});

describe('webhooks', () => {
  it('show failed deliveries by state, can be resent, and can be enabled again after they were disabled', async () => {
    await page.goto(`${web.base}/developers/webhooks`);
    receiver.answersProbes = false;
    receiver.answer('/hook', 503);
    await hand.field('Endpoint URL').fill(receiver.url('/hook'));
    await hand.press('Add webhook');
    await page.getByRole('main').getByRole('alert').waitFor();
    expect(await hand.field('Endpoint URL').getAttribute('aria-invalid')).toBe('true');
    receiver.answersProbes = true;
    await hand.press('Add webhook');
    await hand.press('Done', hand.dialog());
    await page.getByRole('link', { name: receiver.url('/hook') }).click();
    receiver.answer('/hook', 410);
    await web.call('task.create', { message: { content: 'say hello' }, title: 'For the receiver' });
    await page.getByText('Inactive', { exact: true }).waitFor();
    const state = page.getByRole('combobox', { name: 'Status' });
    await state.selectOption('delivered');
    await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor();
    await state.selectOption('all');
    await page.getByRole('table', { name: 'Deliveries' }).getByText('410').first().waitFor();
    await examine(page, 'webhook-inactive');
    receiver.answer('/hook', 204);
    await hand.press('Enable');
    await hand.said('Webhook enabled.').waitFor();
    await hand.press('Resend missed events');
    await hand.said(/^Resending/).waitFor();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('204').first().waitFor();
    await hand.press('Delete webhook');
    await hand.dialog().getByText(receiver.url('/hook')).waitFor();
    await hand.press('Delete webhook', hand.dialog());
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });

  it('and everything else are documented in a readable reference', async () => {
    await page.goto(`${web.base}/reference`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('webhook.create').count()).toBeGreaterThan(0);
    // One look: it is as long as a book.
    expect(await audit(page, false)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});

describe('chats', () => {
  it('are linked by a code sent from the chat, and unlinked', async () => {
    await page.goto(`${web.base}/settings/chats`);
    await hand.press('Link chat');
    const command = (await hand.dialog('Link chat').locator('code').textContent()) ?? '';
    expect(command).toMatch(/^\/link [\w-]+$/);
    await examine(page, 'chat-code');
    await telegram.say({ id: 1001, username: 'ada' }, command);
    await page.getByRole('table', { name: 'Chats', includeHidden: true }).waitFor({ state: 'attached' });
    if ((await hand.dialog().count()) > 0) await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Unlink: / }).click();
    await hand.press('Unlink', hand.dialog());
    await page.getByRole('heading', { name: 'No linked chats' }).waitFor();
  });
});

describe('signing out', () => {
  it('everywhere else ends every other browser, wherever it is', async () => {
    const other = await web.open('/usage', await web.newVisitor());
    await web.signIn(other, owner.email, owner.password);
    await other.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.goto(`${web.base}/settings/sessions`);
    await hand.press('Sign out other sessions');
    await hand.said('All other sessions were signed out.').waitFor();
    // It may notice at the same moment and leave for the sign-in page, so this navigation need not end.
    other.goto(`${web.base}/skills`, { waitUntil: 'commit' }).catch(() => undefined);
    await expect.poll(() => other.url()).toMatch(/\/sign-in\?next=/);
    const who = (await web.callWeb('session.show')) as { account: Answer };
    expect(who.account.email).toBe(owner.email);
  });

  it('caused no error, no policy violation, and no request to another host in all of this', () => {
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
