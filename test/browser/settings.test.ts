import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newVerifier } from '../support/oauth/oauth-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';
import { audit, TestBrowser } from './chromium.ts';
import { HttpListener } from './http-listener.ts';

const owner = { email: 'ann@example.com', password: 'a long password of ann' };

/** An application's own server, which notes where browsers are sent back to. */
class AppServer extends HttpListener {
  readonly visits: URL[] = [];

  constructor() {
    super((request, response) => {
      this.visits.push(new URL(request.url ?? '', this.url));
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Back</title>back at the application');
    });
  }
}

let service: LocalService;
let browser: TestBrowser;
const app = new AppServer();
/** A folder for pictures of every page, for people to look at. */
const pictures = process.env.ERRAND_TEST_PICTURES;
let pictureCount = 0;

beforeAll(async () => {
  await app.listen();
  service = await LocalService.start({ env: { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true' } });
  browser = await TestBrowser.open();
});

afterAll(async () => {
  await browser.end();
  await service.end();
  app.close();
});

async function openPage(context: BrowserContext, problems: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return page;
}

/** Each look of the pages: nothing of it may be cut off at the side, and nothing may be hard to use. */
async function examine(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours on their way from one look to the other are nobody's.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished))',
    );
    expect(await audit(page, true)).toEqual([]);
    if (pictures !== undefined)
      await page.screenshot({ path: `${pictures}/${++pictureCount}-${colorScheme}.png`, fullPage: true });
  }
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${pictureCount}-phone.png`, fullPage: true });
  const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
  expect((widths as number[])[0]).toBeLessThanOrEqual((widths as number[])[1] ?? 0);
  if (viewport) await page.setViewportSize(viewport);
}

describe('in chromium', () => {
  it('an instance is set up, an application registered, connected, used and disconnected', async () => {
    const problems: string[] = [];
    const page = await openPage(await browser.newContext(), problems);
    const base = service.url.replace('127.0.0.1', 'localhost');
    await page.goto(`${base}/developers/apps`);
    await examine(page);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password at least').fill(owner.password);
    await page.getByLabel('Confirm password').fill(owner.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    // Set-up leads on to what was asked for.
    await page.waitForURL(`${base}/developers/apps`);
    await page.getByRole('button', { name: 'Register app' }).click();
    await page.getByLabel('Name').fill('Reports');
    await page.getByLabel('Redirect URIs').fill(`${app.url}/callback`);
    await examine(page);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const shown = page.getByRole('dialog', { name: '“Reports” registered' });
    const clientId = (await shown.getByLabel('Client ID').textContent()) ?? '';
    const secret = (await shown.getByLabel('“Reports” registered').last().textContent()) ?? '';
    await page.keyboard.press('Escape');
    await shown.getByText('You won’t see this again.').waitFor();
    await page.mouse.click(5, 5);
    expect(await shown.getByLabel('“Reports” registered').last().textContent()).toBe(secret);
    await shown.getByRole('button', { name: 'Done' }).click();
    const { verifier, challenge } = newVerifier();
    const request = new URLSearchParams({
      client_id: clientId,
      redirect_uri: `${app.url}/callback`,
      state: 'x',
      code_challenge: challenge,
    });
    const address = `${base}/oauth/authorize?${request.toString()}&code_challenge_method=S256`;
    // Signing in and consent are forms on pages that may run no scripts.
    const other = await openPage(await browser.newContext(), problems);
    await other.goto(address);
    await other.getByLabel('Email').fill(owner.email);
    await other.getByLabel('Password').fill('wrong');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('alert').waitFor();
    await examine(other);
    await other.getByLabel('Password').fill(owner.password);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Connect Reports?' }).waitFor();
    await examine(other);
    await other.getByRole('button', { name: 'Allow', exact: true }).click();
    await other.waitForURL(`${app.url}/callback?**`);
    const back = app.visits.find(({ pathname }) => pathname === '/callback');
    expect(back?.searchParams.get('state')).toBe('x');
    expect(back?.searchParams.get('iss')).toBe(base);
    const body = { grant_type: 'authorization_code', code: back?.searchParams.get('code'), redirect_uri: `${app.url}/callback` };
    const answer = await fetch(`${base}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, code_verifier: verifier, client_id: clientId, client_secret: secret }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const use = async () => (await fetch(`${base}/v2/task.list`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await use()).toBe(200);
    await page.goto(`${base}/settings/connections`);
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    await examine(page);
    await page.getByRole('button', { name: 'Disconnect: Reports' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No connected apps').waitFor();
    expect(await use()).toBe(401);
    // The refused password is the one answer that a browser calls an error.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('an account is set up in two languages: keys shown once, webhooks with their deliveries, the team, the password', async () => {
    const problems: string[] = [];
    const context = await browser.newContext();
    await context.grantPermissions(['clipboard-write']);
    const page = await openPage(context, problems);
    const base = service.url.replace('127.0.0.1', 'localhost');
    await page.goto(`${base}/developers/keys`);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Name').fill('CI');
    await page.getByRole('combobox', { name: 'Access' }).selectOption({ label: 'Read only' });
    await page.getByRole('combobox', { name: 'Expires' }).selectOption({ label: 'In 90 days' });
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'API key “CI”' });
    const key = (await shown.locator('code').textContent()) ?? '';
    const use = async () => (await fetch(`${base}/v2/task.list`, { headers: { 'x-service-api-key': key } })).status;
    expect(await use()).toBe(200);
    const create = { method: 'POST', body: '{}', headers: { 'x-service-api-key': key } };
    expect((await fetch(`${base}/v2/task.create`, create)).status).toBe(403);
    await examine(page);
    await shown.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('row', { name: /CI/ }).getByText('Read only').waitFor();
    await page.getByRole('button', { name: 'Revoke: CI' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('API key revoked.').waitFor();
    expect(await use()).toBe(401);

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel('Endpoint URL').fill(`${app.url}/hook`);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const made = page.getByRole('dialog', { name: 'Webhook verified' });
    await made.getByText(/^whsec_/).waitFor();
    await made.getByRole('button', { name: 'Done' }).click();
    const created = await fetch(`${base}/v2/task.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': service.apiKey },
      body: JSON.stringify({ message: { content: 'say hello' } }),
    });
    expect(created.status).toBe(200);
    await page.getByRole('link', { name: `${app.url}/hook` }).click();
    await page.getByRole('button', { name: 'Rotate signing secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate signing secret' }).click();
    const rotated = page.getByRole('dialog', { name: 'New signing secret' });
    await rotated.getByText(/^whsec_/).waitFor();
    await rotated.getByRole('button', { name: 'Copy' }).click();
    await rotated.getByRole('button', { name: 'Copied' }).waitFor();
    await page.keyboard.press('Escape');
    await rotated.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain('whsec_');
    await page.getByRole('button', { name: 'task_created' }).first().click();
    const delivery = page.getByRole('dialog', { name: 'task_created' });
    await delivery.getByText('"event_type": "task_created"').waitFor();
    await delivery.getByText('Attempt 1').waitFor();
    await examine(page);
    const before = app.visits.filter(({ pathname }) => pathname === '/hook').length;
    await delivery.getByRole('button', { name: 'Resend' }).click();
    await delivery.getByText('Attempt 2').waitFor();
    expect(app.visits.filter(({ pathname }) => pathname === '/hook').length).toBeGreaterThan(before);

    await page.goto(`${base}/team`);
    await page.getByLabel('Team name').fill('Blue');
    await page.getByRole('button', { name: 'Create team' }).click();
    await page.getByText('You are the owner of Blue').waitFor();
    await page.getByLabel('Email').fill('bob@example.com');
    await page.getByRole('button', { name: 'Create invite link' }).click();
    const invitation = page.getByRole('dialog', { name: 'Invite link for bob@example.com' });
    expect(await invitation.locator('code').textContent()).toContain(`${base}/team/accept?token=`);
    await invitation.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke: bob@example.com' }).waitFor();
    await examine(page);

    await page.goto(`${base}/settings/sessions`);
    await page.getByRole('button', { name: 'Sign out other sessions' }).click();
    await page.getByText('All other sessions were signed out.').waitFor();
    await examine(page);
    await page.goto(`${base}/settings`);
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password', { exact: true }).fill('another long password');
    await page.getByLabel('Confirm new password').fill('another long password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The current password is incorrect.').waitFor();
    await examine(page);
    await page.getByLabel('Current password').fill(owner.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await page.getByLabel('Language').selectOption('zh');
    await page.getByRole('heading', { name: '设置' }).waitFor();
    await examine(page);
    // The wrong password is the one answer that a browser calls an error.
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
    expect(await (await fetch(`${base}/metrics`)).text()).toMatch(/^errand_csp_reports_total 0$/m);
  });

  it('another site can neither frame the consent page nor submit its form', async () => {
    const page = await (await browser.newContext()).newPage();
    const base = service.url.replace('127.0.0.1', 'localhost');
    await page.goto(app.url);
    await page.setContent(
      `<iframe src="${base}/sign-in"></iframe><form method="post" action="${base}/sign-in"><input name="email" value="x"><button>go</button></form>`,
    );
    await page.getByRole('button', { name: 'go' }).click();
    await page.getByText('This form has expired').waitFor();
    await page.goto(app.url);
    await page.setContent(`<iframe src="${base}/sign-in"></iframe>`);
    await page.waitForLoadState();
    const frame = page.frames()[1];
    expect(await frame?.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
  });
});
