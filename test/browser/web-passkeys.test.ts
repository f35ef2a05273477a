import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageHand } from './page-hand.ts';
import { examine, owner, WebUnderTest } from './web-under-test.ts';

const phone = { width: 390, height: 844 };

let web: WebUnderTest;
let page: Page;
let hand: PageHand;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/settings/sessions');
  await page.setViewportSize(phone);
  hand = new PageHand(page);
});

afterAll(() => web[Symbol.asyncDispose]());

type Credential = Record<string, unknown>;

/** A device with a fingerprint reader, whose user always puts a finger on it; it is gone with the next check of the page. */
async function plugIn(context: BrowserContext, on: Page, credentials: Credential[] = []): Promise<() => Promise<Credential[]>> {
  const devtools = await context.newCDPSession(on);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  for (const credential of credentials) {
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never });
  }
  return async () => {
    const held = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    return held.credentials as unknown as Credential[];
  };
}

describe('passkeys', () => {
  let held: Credential[] = [];

  it('are added with the password, once for each device', async () => {
    await page.getByText('You have no passkeys.').waitFor();
    await hand.press('Add a passkey');
    const dialog = hand.dialog('Add a passkey');
    await dialog.getByLabel('Name').fill('Pocket');
    await dialog.getByLabel('Password').fill('not the password');
    await hand.press('Continue', dialog);
    await dialog.getByText('The password is incorrect.').waitFor();
    await examine(page, 'passkey-add');
    const readHeld = await plugIn(web.context, page);
    await dialog.getByLabel('Password').fill(owner.password);
    await hand.press('Continue', dialog);
    await hand.said('The passkey was added.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Pocket' }).waitFor();
    held = await readHeld();
    expect(held).toHaveLength(1);
    await hand.press('Add a passkey');
    await dialog.getByLabel('Password').fill(owner.password);
    await hand.press('Continue', dialog);
    await dialog.getByText('This device or security key already has a passkey for your account.').waitFor();
    await hand.press('Cancel', dialog);
    await examine(page, 'passkeys');
  });

  it('sign in without email and password', async () => {
    const visitor = await web.newVisitor();
    const asked = await web.open('/sign-in?next=%2Fsettings%2Fsessions', visitor);
    await asked.setViewportSize(phone);
    await examine(asked, 'passkey-sign-in');
    // Without a device, the page says that nothing was used, and the password works.
    await plugIn(visitor, asked);
    await asked.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await asked.getByRole('status').getByText('No passkey was used.').waitFor();
    const other = await web.newVisitor();
    const second = await web.open('/sign-in?next=%2Fsettings%2Fsessions', other);
    await plugIn(other, second, held);
    await second.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await second.waitForURL('**/settings/sessions');
    expect(new URL(second.url()).pathname).toBe('/settings/sessions');
    await second
      .getByRole('listitem')
      .filter({ hasText: 'Pocket' })
      .getByText(/last used/i)
      .waitFor();
  });

  it('are removed, and nobody signs in with them any more', async () => {
    await page.reload();
    await hand.press('Remove Pocket');
    await hand.press('Remove', hand.dialog('Remove Pocket?'));
    await hand.said('Pocket was removed.').waitFor();
    await page.getByText('You have no passkeys.').waitFor();
    const visitor = await web.newVisitor();
    const asked = await web.open('/sign-in', visitor);
    expect(await asked.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
