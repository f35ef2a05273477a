import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOfSecret } from '../support/accounts/two-step.ts';
import { PageHand } from './page-hand.ts';
import { examine, owner, WebUnderTest } from './web-under-test.ts';

const phone = { width: 390, height: 844 };

let web: WebUnderTest;
let page: Page;
let hand: PageHand;
let visitor: BrowserContext;
let secret = '';
let codes: string[] = [];

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/settings/sessions');
  await page.setViewportSize(phone);
  hand = new PageHand(page);
  visitor = await web.newVisitor();
});

afterAll(() => web[Symbol.asyncDispose]());

/** The page that asks for the second step, after the right password. */
async function signIn(): Promise<Page> {
  const asked = await web.open('/sign-in?next=%2Fsettings%2Fsessions', visitor);
  await asked.setViewportSize(phone);
  await web.signIn(asked, owner.email, owner.password);
  await asked.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
  return asked;
}

describe('two-step sign-in on a phone', () => {
  it('is set up with the password, a QR code or key, and the first code', async () => {
    await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
    await hand.press('Turn on');
    await hand.dialog().getByLabel('Password').fill('not the password');
    await hand.press('Continue', hand.dialog());
    await hand.dialog().getByText('The password is incorrect.').waitFor();
    await hand.dialog().getByLabel('Password').fill(owner.password);
    await hand.press('Continue', hand.dialog());
    await hand.dialog().getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    await examine(page, 'two-step-scan');
    secret = ((await hand.dialog().getByLabel('Key', { exact: true }).textContent()) ?? '').replaceAll(' ', '');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await hand.dialog().getByLabel('Code', { exact: true }).fill('000000');
    await hand.press('Turn on', hand.dialog());
    await hand
      .dialog()
      .getByText(/Enter the code the app shows now/)
      .waitFor();
    await hand.dialog().getByLabel('Code', { exact: true }).fill(codeOfSecret(secret, Date.now()));
    await hand.press('Turn on', hand.dialog());
  });

  it('shows recovery codes once, in a dialog that only closes when they are kept', async () => {
    const dialog = hand.dialog('Your recovery codes');
    await dialog.waitFor();
    codes = await dialog.getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await page.keyboard.press('Escape');
    await dialog.getByRole('alert').waitFor();
    await examine(page, 'two-step-codes');
    const saving = page.waitForEvent('download');
    await hand.press('Download', dialog);
    const text = readFileSync(await (await saving).path(), 'utf8');
    for (const code of codes) expect(text).toContain(code);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('heading', { name: 'Settings' }).isVisible()).toBe(false);
    expect(await page.getByText(codes[0] ?? '').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await hand.press('I saved them', dialog);
    await page.getByText('10 recovery codes left').waitFor();
    await page.reload();
    await page.getByText('10 recovery codes left').waitFor();
    expect(await page.content()).not.toContain(codes[0]);
    await examine(page, 'two-step-on');
  });

  it('asks for a code at sign-in, refuses a wrong one, and takes a recovery code in place of the app', async () => {
    const asked = await signIn();
    await examine(asked, 'two-step-code');
    await asked.getByLabel('Code').fill('000000');
    await asked.getByRole('button', { name: 'Continue' }).click();
    await asked
      .getByRole('alert')
      .getByText(/wrong, or was already used/)
      .waitFor();
    await asked.getByRole('link', { name: 'Use a recovery code' }).click();
    await examine(asked, 'two-step-recovery');
    await asked.getByLabel('Recovery code').fill(codes[4]?.toUpperCase() ?? '');
    await asked.getByRole('button', { name: 'Continue' }).click();
    await asked.waitForURL('**/settings/sessions');
    expect(asked.url()).toBe(`${web.base}/settings/sessions`);
    await asked.getByText('9 recovery codes left').waitFor();
    // Where it signed in from, as far as its address tells.
    await asked
      .getByText(/127\.0\.0\.1 \(this machine\)/)
      .first()
      .waitFor();
  });

  it('is turned off with the password, and no page caused an error or a policy violation', async () => {
    await page.reload();
    await hand.press('Turn off');
    await hand.dialog().getByLabel('Password').fill(owner.password);
    await hand.press('Turn off', hand.dialog());
    await hand.said('Two-step sign-in is off.').waitFor();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
