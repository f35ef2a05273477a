import { createHmac } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3Storage, storageKeys } from '../support/files/s3-storage.ts';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let hand: PageHand;
let url: string;
let secret: string;
let storage: S3Storage;

beforeAll(async () => {
  storage = await S3Storage.start();
  web = await WebUnderTest.start({
    ERRAND_OUTBOUND_ALLOW: '127.0.0.1/32',
    ...{ ERRAND_SMTP_PORT: '0', ERRAND_MAIL_DOMAIN: 'in.errand.test' },
    ERRAND_WATCH_ROOTS: `drop=${tmpdir()}/{account}`,
  });
  page = await web.open('/triggers');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await storage[Symbol.asyncDispose]();
});

const listed = async () => ((await web.call('trigger.list')) as { data: Answer[] }).data;
const rows = () => page.getByRole('table', { name: 'Deliveries' }).getByRole('row');

async function deliver(payload: object, key = secret): Promise<number> {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', key).update(body).digest('hex');
  const headers = { 'x-signature': signature, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

describe('a trigger', () => {
  it('is made with an explanation of each kind of sender, and shows its secret once', async () => {
    await page.getByRole('heading', { name: 'No triggers yet' }).waitFor();
    await examine(page, 'triggers-empty');
    await hand.press('New trigger');
    await hand.field('Name', hand.dialog()).fill('Problems');
    await hand.field('Task description').fill('say the problem');
    await page.getByRole('combobox', { name: 'Sender' }).selectOption({ label: 'Stripe' });
    await page.getByText('Stripe signs what it sends.').waitFor();
    await page.getByRole('combobox', { name: 'Sender' }).selectOption({ label: 'HMAC signature' });
    await page.getByText('The sender signs the body with the secret').waitFor();
    await hand.press('Add condition');
    await hand.field('Pointer 1').fill('/action');
    await hand.field('Value 1').fill('opened');
    await hand.field(/^ID of a delivery/).fill('/id');
    await examine(page, 'triggers-new');
    await hand.press('Create', hand.dialog());
    const shown = hand.dialog('Problems created');
    url = (await shown.getByLabel('URL', { exact: true }).textContent()) ?? '';
    secret = (await shown.getByLabel('Problems created').last().textContent()) ?? '';
    expect(url).toContain('/t/');
    expect(secret).toMatch(/^\w{43}$/);
    await hand.press('Done', shown);
    await page.waitForURL('**/triggers/*');
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
    expect(await page.getByLabel('URL', { exact: true }).textContent()).toBe(url);
    expect(await page.content()).not.toContain(secret);
    const verification = { type: 'hmac_sha256', header: 'x-signature' };
    expect(await listed()).toMatchObject([
      { name: 'Problems', verification, dedupe: '/id', filter: [{ pointer: '/action', equals: 'opened' }] },
    ]);
  });

  it('lists what it was sent as it arrives, with its outcome', async () => {
    expect(await deliver({ id: 1, action: 'opened', issue: { title: 'The page is blank' } })).toBe(202);
    expect(await deliver({ id: 1, action: 'opened', issue: { title: 'The page is blank' } })).toBe(200);
    expect(await deliver({ id: 2, action: 'closed' })).toBe(200);
    expect(await deliver({ id: 3 }, 'wrong')).toBe(401);
    for (const outcome of ['Started', 'Duplicate', 'Filtered', 'Refused']) await rows().getByText(outcome).waitFor();
    await examine(page, 'trigger');
  });

  it('takes values of the last delivery into its text', async () => {
    await hand.press('Edit');
    await hand.field('Task description').fill('say ');
    await hand.press('Insert value');
    await examine(page, 'trigger-insert');
    await page.getByRole('menuitem', { name: /^\/action/ }).click();
    expect(await hand.field('Task description').inputValue()).toBe('say {{/action}}');
    await hand.field('Task description').fill('say {{/issue/title}}');
    await hand.press('Save', hand.dialog());
    await hand.said('Saved.').waitFor();
    const verification = { type: 'hmac_sha256', header: 'x-signature' };
    expect(await listed()).toMatchObject([{ message_template: 'say {{/issue/title}}', verification, dedupe: '/id' }]);
    expect(await deliver({ id: 4, action: 'opened', issue: { title: 'Still blank' } })).toBe(202);
  });

  it('replays a delivery with the text of now', async () => {
    await rows().filter({ hasText: 'Duplicate' }).getByRole('button', { name: /^Show/ }).click();
    await hand.dialog().getByText('The page is blank').waitFor();
    await examine(page, 'trigger-delivery');
    await hand.press('Replay', hand.dialog());
    await hand.said('Task started.').waitFor();
    await rows()
      .filter({ hasText: 'Replay' })
      .getByRole('link', { name: /^Open task/ })
      .click();
    await page.waitForURL('**/app/*');
    await page
      .getByText(/The page is blank/)
      .last()
      .waitFor();
    await page.goBack();
    await expect.poll(() => rows().filter({ hasText: 'Replay' }).count()).toBe(1);
  });

  it('is tried with a payload of the user', async () => {
    await hand.press('Send a test');
    await hand.field('Payload (JSON or text)').fill('{"issue": {"title": "Only a test"}}');
    await hand.press('Start task', hand.dialog());
    await rows().filter({ hasText: 'Test' }).getByText('Started').waitFor();
    await expect.poll(() => rows().filter({ hasText: 'Test' }).count()).toBe(1);
  });

  it('is paused, and gets another secret and another URL, which end those before them', async () => {
    await page.getByRole('switch', { name: 'Active Problems' }).click();
    await hand.said('Problems is paused.').waitFor();
    expect(await deliver({ id: 5, action: 'opened' })).toBe(412);
    await page.getByRole('switch', { name: 'Paused Problems' }).click();
    await hand.said('Problems is active.').waitFor();
    await hand.press('New secret');
    await hand.press('Replace', hand.dialog('Replace the secret?'));
    const next = (await hand.dialog('New secret').getByLabel('New secret').last().textContent()) ?? '';
    await hand.press('Done', hand.dialog('New secret'));
    expect(await deliver({ id: 6, action: 'opened' })).toBe(401);
    secret = next;
    expect(await deliver({ id: 7, action: 'opened' })).toBe(202);
    await hand.press('New URL');
    await hand.press('Replace', hand.dialog('Replace the URL?'));
    await hand.said('The URL is replaced.').waitFor();
    expect(await deliver({ id: 8, action: 'opened' })).toBe(404);
    url = (await page.getByLabel('URL', { exact: true }).textContent()) ?? '';
    expect(await deliver({ id: 9, action: 'opened' })).toBe(202);
  });

  it('is listed, and deleted after confirmation', async () => {
    await page.goto(`${web.base}/triggers`);
    await page.getByText('say {{/issue/title}}').waitFor();
    await examine(page, 'triggers');
    await page.getByRole('link', { name: 'Problems', exact: true }).click();
    await hand.press('Delete');
    await hand.press('Delete', hand.dialog('Delete Problems?'));
    await page.getByRole('heading', { name: 'No triggers yet' }).waitFor();
    expect(await deliver({ id: 10, action: 'opened' })).toBe(404);
  });

  it('for mail shows its address, and names the parts of a mail for its text', async () => {
    await hand.press('New trigger');
    await hand.field('Name', hand.dialog()).fill('Help');
    await page.getByRole('combobox', { name: 'Sender' }).selectOption({ label: 'Mail' });
    await page.getByText('Anyone can claim to be a sender').waitFor();
    await hand.field('Task description').fill('say ');
    await hand.press('Insert value');
    await page.getByRole('menuitem', { name: '{{subject}}' }).click();
    await examine(page, 'triggers-mail');
    await hand.press('Create', hand.dialog());
    await page.getByRole('heading', { name: 'Address' }).waitFor();
    const address = await page.getByLabel('Address', { exact: true }).textContent();
    expect(await listed()).toMatchObject([{ type: 'email', address, message_template: 'say {{subject}}' }]);
    expect(address).toMatch(/^[0-9a-f]{40}@in\.errand\.test$/);
    await page.getByRole('button', { name: 'Copy address' }).waitFor();
    await hand.press('New address');
    await hand.press('Replace', hand.dialog('Replace the address?'));
    await hand.said('The address is replaced.').waitFor();
    await expect.poll(() => page.getByLabel('Address', { exact: true }).textContent()).not.toBe(address);
  });

  it('for a folder offers the roots of the operator and the parts of a file, and shows what it watches', async () => {
    await page.goto(`${web.base}/triggers`);
    await hand.press('New trigger');
    await hand.field('Name', hand.dialog()).fill('Scans');
    await page.getByRole('combobox', { name: 'Sender' }).selectOption({ label: 'Files in a folder' });
    expect(await page.getByRole('combobox', { name: 'Root' }).textContent()).toContain('drop');
    await page.getByText('The file itself comes along.').waitFor();
    expect(await hand.field(/^ID of a delivery/).count()).toBe(0);
    await hand.field('Task description').fill('say ');
    await hand.press('Insert value');
    await page.getByRole('menuitem', { name: '{{name}}' }).click();
    await hand.field(/^Folder below it/).fill('in');
    await hand.field(/^File names/).fill('*.pdf');
    await examine(page, 'triggers-folder');
    await hand.press('Create', hand.dialog());
    await page.getByText('drop/in/*.pdf').waitFor();
    const folder = { root: 'drop', path: 'in', pattern: '*.pdf' };
    expect((await listed())[0]).toMatchObject({ type: 'folder', folder, message_template: 'say {{name}}' });
    await hand.press('Send a test');
    await hand.press('Start task', hand.dialog());
    await rows().filter({ hasText: 'Test' }).getByText('Started').waitFor();
  });

  it('for a bucket asks the storage before it is made, never shows its keys again, and takes what comes', async () => {
    await page.goto(`${web.base}/triggers`);
    await hand.press('New trigger');
    await hand.field('Name', hand.dialog()).fill('Invoices');
    await page.getByRole('combobox', { name: 'Sender' }).selectOption({ label: 'Objects in a bucket' });
    await hand.field('Task description').fill('say {{name}}');
    await hand.field('Endpoint').fill(storage.endpoint);
    await hand.field('Bucket name').fill('drop');
    await hand.field(/^Prefix/).fill('in/');
    await hand.field('Access key ID').fill(storageKeys.access_key_id);
    await hand.field('Secret access key').fill('wrong');
    await examine(page, 'triggers-bucket');
    await hand.press('Create', hand.dialog());
    await page.getByText(/SignatureDoesNotMatch/).waitFor();
    await hand.field('Secret access key').fill(storageKeys.secret_access_key);
    // Newer than the trigger is going to be.
    storage.put('in/a.txt', 'x', { modifiedAtMs: Date.now() + 60_000 });
    await hand.press('Create', hand.dialog());
    await page.getByText(`${storage.endpoint}/drop/in/*`).waitFor();
    expect(await page.content()).not.toContain(storageKeys.secret_access_key);
    await rows().getByText('Started').waitFor();
    await hand.press('Edit');
    expect(await hand.field(/^Secret access key/).inputValue()).toBe('');
    await hand.field(/^Object names/).fill('*.pdf');
    await hand.press('Save', hand.dialog());
    await page.getByText(`${storage.endpoint}/drop/in/*.pdf`).waitFor();
    expect((await listed())[0]).toMatchObject({ type: 'bucket', bucket: { prefix: 'in/', pattern: '*.pdf', after: 'keep' } });
  });

  it('caused no error, no policy violation, and no request to another host in all of this', () => {
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
