import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, owner, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let hand: PageHand;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const visit = (path: string) => page.goto(`${web.base}/instance${path}`);
const tabs = () => page.getByRole('navigation', { name: 'Instance' });
const main = () => page.getByRole('main');

/** An operation on the instance, as the owner who is signed in. */
async function read(operation: string, input: Record<string, string> = {}): Promise<Answer> {
  const response = await web.context.request.get(`${web.base}/v2/${operation}`, {
    headers: { 'x-errand-web': '1' },
    params: input,
  });
  return (await response.json()) as Answer;
}

describe('the overview of the instance', () => {
  it('is in the sidebar of its owner, and says whether everything keeps up', async () => {
    const nav = page.getByRole('navigation', { name: 'Main', exact: true });
    await nav.getByRole('button', { name: 'Management' }).click();
    await nav.getByRole('link', { name: 'Instance' }).click();
    await page.waitForURL('**/instance');
    await page.getByText('Nothing waits').first().waitFor();
    await page.getByText('No active tasks').waitFor();
    await page.getByText(/0 of 5,?000/).waitFor();
    expect(await main().getByText('Everything keeps up.').count()).toBe(1);
    await examine(page, 'instance');
  });

  it('drains a worker after a confirmation, names what then waits, and lets it resume', async () => {
    await page.getByRole('button', { name: /^Drain: / }).click();
    await hand.press('Drain', hand.dialog());
    await hand.said('The worker is draining.').waitFor();
    await page.getByText('Drained', { exact: true }).waitFor();
    await page.getByText('All workers are drained.').waitFor();
    const taskId = await web.createTask('say hello');
    await page.reload();
    await page.getByRole('link', { name: owner.email }).waitFor();
    await examine(page, 'instance-drained');
    await tabs().getByRole('link', { name: 'Tasks' }).click();
    await page.getByText(taskId).waitFor();
    await page.getByText(/^Waiting .+ for a worker with room\.$/).waitFor();
    await examine(page, 'instance-tasks');
    await visit('');
    await page.getByRole('button', { name: /^Resume: / }).click();
    await hand.said('The worker takes tasks again.').waitFor();
    await page.getByText('Active', { exact: true }).first().waitFor();
    expect((await read('instance.listWorkers')).data).toMatchObject([{ status: 'active' }]);
  });
});

describe('the tasks of all accounts', () => {
  it('are filtered by state and age in the URL, and are explained in words without their content', async () => {
    const waiting = await web.createTask('ask What is the canary?', { interactive_mode: true });
    await expect
      .poll(async () => ((await web.call('task.detail', { task_id: waiting })).task as { status: string }).status)
      .toBe('waiting');
    await visit('/tasks');
    await main().getByLabel('Status').selectOption('waiting');
    await page.waitForURL('**/instance/tasks?status=waiting');
    await page.getByText(/^Waiting .+ for an answer of its user\.$/).waitFor();
    expect(await main().getByText('canary').count()).toBe(0);
    await page.reload();
    await page.getByText(waiting).waitFor();
    await main().getByLabel('Age').selectOption('1d');
    await page.getByText('No matching tasks').waitFor();
    await hand.press('Clear filter');
    await page.getByText(waiting).waitFor();
    await main().getByLabel('Email of an account').fill('nobody@example.com');
    await hand.press('Filter');
    await main().getByRole('alert').waitFor();
  });
});

describe('accounts', () => {
  beforeAll(async () => {
    await web.operate('account.create', { email: 'bob@example.com' });
  });

  it('are found by their address, with what they store', async () => {
    await visit('/accounts');
    await page.getByRole('link', { name: 'bob@example.com' }).waitFor();
    await examine(page, 'instance-accounts');
    await main().getByLabel('Search by email').fill('bob');
    await hand.press('Filter');
    await page.waitForURL('**/instance/accounts?q=bob');
    await expect.poll(() => main().getByRole('link', { name: owner.email }).count()).toBe(0);
    await page.getByRole('link', { name: 'bob@example.com' }).click();
    await page.getByRole('heading', { name: 'bob@example.com' }).waitFor();
  });

  it('get a plan and limits, are disabled, and are enabled again', async () => {
    await main().getByLabel('Plan').selectOption('free');
    await main().getByLabel('Storage limit in MB').fill('25');
    await hand.press('Save');
    await hand.said('Account saved.').waitFor();
    await page.getByText('of 25 MB').waitFor();
    await examine(page, 'instance-account');
    await hand.press('Disable account');
    await hand.press('Disable account', hand.dialog());
    await hand.said('Account disabled.').waitFor();
    expect((await read('instance.accountDetail', { account_id: 'bob@example.com' })).account).toMatchObject({
      ...{ plan: 'free', status: 'disabled', quotas: { max_bytes: 25_000_000, max_files: null } },
    });
    await hand.press('Enable account');
    await hand.said('Account enabled.').waitFor();
  });

  it('get a link that sets their password, with which their user signs in', async () => {
    await hand.press('Create password link');
    const link = await hand.dialog().getByLabel('Password link for bob@example.com').innerText();
    await examine(page, 'instance-password-link');
    await hand.press('Done', hand.dialog());
    const context = await web.newVisitor();
    const bobsPage = await context.newPage();
    await bobsPage.goto(link);
    await bobsPage.getByText('For bob@example.com.').waitFor();
    await examine(bobsPage, 'set-password');
    await bobsPage.getByLabel('New password at least').fill('a long password of bob');
    await bobsPage.getByLabel('Confirm new password').fill('a long password of bob');
    await bobsPage.getByRole('button', { name: 'Set password' }).click();
    await bobsPage.getByRole('link', { name: 'Sign in' }).click();
    await bobsPage.getByLabel('Email').fill('bob@example.com');
    await bobsPage.getByLabel('Password').fill('a long password of bob');
    await bobsPage.getByRole('button', { name: 'Sign in' }).click();
    await bobsPage.getByLabel('Task description').waitFor();
    const again = await bobsPage.goto(link);
    expect(again?.status()).toBe(404);
    await bobsPage.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
    await context.close();
  });

  it('are deleted only when their address has been typed', async () => {
    await hand.press('Delete account');
    const confirm = hand.dialog().getByRole('button', { name: 'Delete account' });
    expect(await confirm.isDisabled()).toBe(true);
    await examine(page, 'instance-account-delete');
    await hand.dialog().getByLabel('Type bob@example.com to confirm').fill('bob@example.com');
    await confirm.click();
    await hand.said('The account is being deleted.').waitFor();
    await page.waitForURL('**/instance/accounts');
    await expect.poll(async () => (await read('instance.accountDetail', { account_id: 'bob@example.com' })).ok).toBe(false);
  });

  it('cannot be deleted or disabled by the user who is signed in with them', async () => {
    await visit('/accounts');
    await page.getByRole('link', { name: owner.email }).click();
    await page.getByText('You are signed in with this account.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete account' }).count()).toBe(0);
  });
});

describe('the record and the deliveries', () => {
  it('show what was done and by whom, and that nothing failed', async () => {
    await visit('/record');
    await page.getByText('Account deleted').waitFor();
    expect(await main().getByText('You', { exact: true }).count()).toBeGreaterThan(3);
    await examine(page, 'instance-record');
    await tabs().getByRole('link', { name: 'Failed deliveries' }).click();
    await page.getByText('Every webhook has received its events.').waitFor();
    await examine(page, 'instance-deliveries');
  });
});

describe('somebody who does not own the instance', () => {
  it('has no link to these pages, and sees nothing of it there', async () => {
    const member = await web.open('/instance', await web.newMember('carol@example.com'));
    await member.getByText('Only owners of this instance can see this.').waitFor();
    await member.getByRole('button', { name: 'Management' }).click();
    await member.getByRole('link', { name: 'Developers' }).waitFor();
    expect(await member.getByRole('link', { name: 'Instance' }).count()).toBe(0);
    expect(await member.getByText(owner.email).count()).toBe(0);
    await member.goto(`${web.base}/instance/accounts/${String(((await read('instance.listAccounts')).data as Answer[])[0]?.id)}`);
    await member.getByRole('main').getByRole('alert').waitFor();
    expect(await member.getByText(owner.email).count()).toBe(0);
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
