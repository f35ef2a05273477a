import { afterAll, beforeAll, expect, it } from 'vitest';
import { findQuietPort } from '../support/service/quiet-port.ts';
import { OidcPeer } from '../support/accounts/oidc-peer.ts';
import { LocalService } from '../support/service/local-service.ts';
import { TestBrowser } from './chromium.ts';
import { examine } from './web-under-test.ts';

let service: LocalService;
let peer: OidcPeer;
let browser: TestBrowser;

beforeAll(async () => {
  const port = String(await findQuietPort());
  const client = { client_id: 'errand', client_secret: 'secret of the client' };
  peer = await OidcPeer.start({ ...client, redirect_uris: [`http://localhost:${port}/sign-in/oidc/callback`] });
  const env = {
    ERRAND_PORT: port,
    ERRAND_BOOTSTRAP_EMAIL: 'ann@example.com',
    ERRAND_BOOTSTRAP_PASSWORD: 'a long password of ann',
    ERRAND_OIDC_ISSUER: peer.issuer,
    ERRAND_OIDC_CLIENT_ID: client.client_id,
    ERRAND_OIDC_CLIENT_SECRET: client.client_secret,
    ERRAND_OIDC_NAME: 'Example Staff',
  };
  service = await LocalService.start({ env });
  browser = await TestBrowser.open();
});

afterAll(async () => {
  await browser.end();
  await service.end();
  await peer.stop();
});

it('people sign in through a provider in chromium, and unlink and link it', async () => {
  const page = await (await browser.newContext()).newPage();
  // Under another name of this machine than the one that the provider knows.
  await page.goto(`http://127.0.0.1:${new URL(service.url).port}/settings/sessions`);
  const way = page.getByRole('link', { name: 'Continue with Example Staff' });
  await way.waitFor();
  await examine(page, 'sign-in-provider');
  await way.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').getByText('didn’t sign you in').waitFor();
  await examine(page, 'sign-in-refused');
  expect(await page.getByLabel('Password').count()).toBe(1);
  await page.goto(`http://localhost:${new URL(service.url).port}/settings/sessions`);
  await way.click();
  await page.getByLabel('Subject').fill('ann');
  await page.getByLabel('Claims').fill('{"email":"Ann@example.com","email_verified":true}');
  await page.getByRole('button', { name: 'Sign in here' }).click();
  await page.waitForURL('**/settings/sessions');
  await page.getByText('Signed in with Example Staff').waitFor();
  await page.getByText('Chrome on Linux').first().waitFor();
  await examine(page, 'settings-provider');
  await page.getByRole('button', { name: 'Unlink: Example Staff' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('link', { name: 'Use Example Staff to sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in with Example Staff' }).waitFor();
  await examine(page, 'sign-in-link');
  await page.getByRole('button', { name: 'Link Example Staff' }).click();
  await page.waitForURL('**/settings/sessions');
  await page.getByText('Signed in with Example Staff').waitFor();
});
