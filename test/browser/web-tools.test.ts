import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { FileChooser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newVerifier } from '../support/oauth/oauth-under-test.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { PetsApi } from '../support/connectors/pets-api.ts';
import { McpOauthFront } from '../support/connectors/mcp-oauth-front.ts';
import { PageHand } from './page-hand.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

/** Other work on the machine may take its time. */

let web: WebUnderTest;
let hand: PageHand;
let page: Page;
let front: McpOauthFront;
/** Where an application has people sent back to. */
let backServer: Server;

beforeAll(async () => {
  front = await McpOauthFront.start();
  backServer = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>Back</title>'));
  await new Promise<void>((resolve) => backServer.listen(0, '127.0.0.1', resolve));
  web = await WebUnderTest.start({ ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8' });
  await web.callWeb('team.create', { name: 'Research' });
  page = await web.open('/connectors');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await front[Symbol.asyncDispose]();
  backServer.closeAllConnections();
  backServer.close();
});

describe('connectors', () => {
  it('are HTTP APIs, of whose operations some are chosen', async () => {
    await using pets = await PetsApi.start();
    await hand.press('Connect an HTTP API');
    const dialog = hand.dialog('Connect an HTTP API');
    await hand.field('OpenAPI document').fill(`${pets.url}/nothing`);
    await hand.press('Read document', dialog);
    await dialog
      .getByText(/OpenAPI|server answers/)
      .last()
      .waitFor();
    await hand.field('OpenAPI document').fill(`${pets.url}/openapi.yaml`);
    await hand.press('Read document', dialog);
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    expect(await dialog.getByLabel('Sign-in').inputValue()).toBe('header');
    expect(await dialog.getByRole('checkbox', { name: 'upload' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Key', { exact: true }).fill('canary-key');
    await dialog.getByRole('checkbox', { name: 'echo' }).click();
    await examine(page, 'connector-api');
    await hand.press('Connect', dialog);
    await hand.said('Pets connected.').waitFor();
    expect(await page.content()).not.toContain('canary-key');
    await page.getByText('6 tools').click();
    await page.getByRole('listitem').getByText('listPets', { exact: true }).waitFor();
    await hand.press('Delete Pets');
    await hand.press('Delete', hand.dialog('Delete Pets'));
    await page.getByText('No connectors yet').waitFor();
  });

  it('are connected with a key, tested, and show why they cannot be reached', async () => {
    front.inner.controls.apiKey = 'secret-of-the-garden';
    await hand.press('New connector');
    await hand.field('Name').fill('Garden');
    await hand.field('URL').fill(front.inner.url);
    await hand.press('Add header', hand.dialog());
    await hand.field('Header name').fill('x-api-key');
    await page.getByLabel('Value of x-api-key').fill('secret-of-the-garden');
    await hand.press('Connect', hand.dialog());
    await hand.said('Garden connected.').waitFor();
    expect(await page.content()).not.toContain('secret-of-the-garden');
    await page.getByText('4 tools').click();
    await page.getByRole('listitem').getByText('plant', { exact: true }).waitFor();
    front.inner.controls.apiKey = 'another';
    await hand.press('Test');
    await page.getByText('Can’t connect').waitFor();
    await page
      .getByText(/server (answered|refused|asks)|sign|HTTP|Unauthorized/i)
      .first()
      .waitFor();
    await examine(page, 'connector-failing');
    front.inner.controls.apiKey = null;
    await hand.press('Test');
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  it('can be chosen from well-known servers, of which only what is to be filled in is left', async () => {
    await page.getByRole('button', { name: /^GitHub/ }).click();
    expect(await hand.field('URL').inputValue()).toBe('https://api.githubcopilot.com/mcp/');
    expect(await page.getByLabel('Value of Authorization').inputValue()).toBe('Bearer ');
    await examine(page, 'connector-known');
    await hand.press('Cancel', hand.dialog());
    await hand.press('New connector');
    expect(await hand.field('URL').inputValue()).toBe('');
    await hand.press('Cancel', hand.dialog());
  });

  it('are signed in to if they require it, after a notice of the destination', async () => {
    await hand.press('New connector');
    await hand.field('Name').fill('Vault');
    await hand.field('URL').fill(front.url);
    await hand.press('Connect', hand.dialog());
    await page.getByText('Sign-in required').waitFor();
    await hand.press('Sign in');
    await hand
      .dialog('Sign in to Vault')
      .getByText(`You’ll sign in at ${new URL(front.url).host}`)
      .waitFor();
    await examine(page, 'connector-sign-in');
    await hand
      .dialog()
      .getByRole('link', { name: /Continue to/ })
      .click();
    await page.getByText('Signed in to the connector.').waitFor();
    await expect.poll(() => page.getByText('Connected', { exact: true }).count()).toBe(2);
  });
});

describe('an application', () => {
  let clientId: string;
  const secrets: string[] = [];
  const backUrl = () => `http://127.0.0.1:${(backServer.address() as AddressInfo).port}/callback`;

  it('is registered, with errors shown at their fields, and has secrets that are shown once', async () => {
    await page.goto(`${web.base}/developers/apps`);
    await hand.press('Register app');
    await hand.field('Name').fill('Reports');
    await hand.field('Redirect URIs').fill('javascript:alert(1)');
    await hand.press('Register', hand.dialog());
    await hand.dialog().getByRole('alert').waitFor();
    expect(await hand.field('Redirect URIs').getAttribute('aria-invalid')).toBe('true');
    expect(await hand.dialog().getByRole('alert').count()).toBe(1);
    // What was typed is not lost by a key.
    await page.keyboard.press('Escape');
    await hand.dialog().getByText('unsaved changes').waitFor();
    await hand.press('Keep editing', hand.dialog());
    await hand.field('Redirect URIs').fill(backUrl());
    await page.getByRole('checkbox', { name: 'use_connectors' }).click();
    await hand.press('Register', hand.dialog());
    const made = hand.dialog('“Reports” registered');
    clientId = (await made.getByLabel('Client ID').textContent()) ?? '';
    secrets.push((await made.getByLabel('“Reports” registered').last().textContent()) ?? '');
    await hand.press('Done', made);
    await page.getByRole('link', { name: 'Reports' }).click();
    await hand.press('New secret');
    secrets.push((await hand.dialog('New secret').locator('code').textContent()) ?? '');
    await hand.press('Done', hand.dialog());
    await page.reload();
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    for (const secret of secrets) expect(await page.content()).not.toContain(secret);
  });

  it('asks before changes are lost, and can be trusted by those who manage a team', async () => {
    await hand.field('Name').fill('Reports of the week');
    await page.getByRole('link', { name: 'API keys' }).click();
    await hand.dialog('Leave without saving?').waitFor();
    await hand.press('Cancel', hand.dialog());
    expect(await hand.field('Name').inputValue()).toBe('Reports of the week');
    await page.getByRole('checkbox', { name: 'Trusted by the team' }).click();
    await hand.press('Save');
    await hand.said('App saved.').waitFor();
    await page.getByRole('heading', { name: /Reports of the week.*Trusted by the team/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Trusted by the team' }).click();
    await hand.field('Name').fill('Reports');
    await hand.press('Save');
    await page.getByRole('heading', { name: 'Reports', exact: true }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.waitForURL('**/developers/keys');
  });

  const ask = async (other: Page) => {
    const { verifier, challenge } = newVerifier();
    const query = {
      client_id: clientId,
      redirect_uri: backUrl(),
      state: 'x',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    await other.goto(`${web.base}/oauth/authorize?${new URLSearchParams(query).toString()}`);
    await other.getByRole('heading', { name: 'Connect Reports?' }).waitFor();
    return verifier;
  };
  const exchange = async (code: string, verifier: string, secret: string) => {
    const body = { grant_type: 'authorization_code', code, redirect_uri: backUrl(), code_verifier: verifier };
    const answer = await fetch(`${web.base}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, client_id: clientId, client_secret: secret }),
    });
    return (await answer.json()) as { access_token?: string; error?: string };
  };

  it('is denied, or allowed with selected connectors, with whichever of its secrets is still valid', async () => {
    const other = await web.open('/connectors');
    await ask(other);
    await other.getByRole('button', { name: 'Deny' }).click();
    await other.waitForURL(/callback\?/);
    expect(new URL(other.url()).searchParams.get('error')).toBe('access_denied');
    const verifier = await ask(other);
    await other.getByRole('checkbox', { name: /Garden/ }).check();
    await examine(other, 'consent-connectors');
    await other.getByRole('button', { name: 'Allow', exact: true }).click();
    await other.waitForURL(/callback\?/);
    const code = new URL(other.url()).searchParams.get('code') ?? '';
    await page.goto(`${web.base}/developers/apps/${clientId}`);
    await hand.press(`Revoke: …${secrets[0]?.slice(-4)}`);
    await hand.press('Revoke', hand.dialog());
    await hand.said('Secret revoked.').waitFor();
    expect(await exchange(code, verifier, secrets[0] ?? '')).toMatchObject({ error: 'invalid_client' });
    const { access_token: token } = await exchange(code, verifier, secrets[1] ?? '');
    const read = async (operation: string) =>
      fetch(`${web.base}/v2/${operation}`, { headers: { authorization: `Bearer ${token}` } });
    const names = async () =>
      ((await (await read('connector.list')).json()) as { data: { name: string }[] }).data.map(({ name }) => name);
    expect(await names()).toEqual(['Garden']);
    await page.goto(`${web.base}/settings/connections`);
    await page.getByRole('link', { name: 'Choose connectors' }).click();
    await page.getByRole('checkbox', { name: /Vault/ }).check();
    await hand.press('Save');
    await page.getByRole('status').waitFor();
    await examine(page, 'connector-choice');
    expect((await names()).toSorted()).toEqual(['Garden', 'Vault']);
    await page.goto(`${web.base}/settings/connections`);
    await hand.press('Disconnect: Reports');
    await hand.press('Disconnect', hand.dialog('Disconnect Reports?'));
    await page.getByText('No connected apps').waitFor();
    expect((await read('task.list')).status).toBe(401);
    await other.close();
  });
});

describe('skills', () => {
  const text = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n# Steps\n\nDo it well.\n`;

  it('are uploaded as a folder or a zip, with errors by line, and can be read and deleted', async () => {
    const folder = join(createFolder('skill'), 'weekly-letters');
    mkdirSync(join(folder, 'scripts'), { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), text('weekly-letters'));
    writeFileSync(join(folder, 'scripts', 'count.mjs'), 'console.log(1 + 1);\n');
    writeFileSync(join(folder, '.DS_Store'), 'nothing');
    await page.goto(`${web.base}/skills`);
    const pick = async (button: string, files: Parameters<FileChooser['setFiles']>[0]) => {
      await hand.press('New skill');
      const picking = page.waitForEvent('filechooser');
      await hand.press(button, hand.dialog());
      await (await picking).setFiles(files);
    };
    await pick('Choose folder', folder);
    await hand.said('Skill weekly-letters added.').waitFor();
    await hand.press('View weekly-letters');
    await hand.dialog('weekly-letters').getByRole('heading', { name: 'Steps' }).waitFor();
    await hand.dialog().getByText('scripts/count.mjs').click();
    await hand.dialog().getByText('console.log(1 + 1);').waitFor();
    expect(await hand.dialog().getByText('.DS_Store').count()).toBe(0);
    await examine(page, 'skill-read');
    await page.keyboard.press('Escape');
    const broken = zipSync({ 'SKILL.md': strToU8('---\nname: x\ndescription: "open\n---\n\nText') });
    await pick('Choose ZIP file', { name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from(broken) });
    await hand
      .dialog()
      .getByRole('alert')
      .getByText(/line 3/)
      .waitFor();
    await examine(page, 'skill-broken');
    const zip = zipSync({ 'SKILL.md': strToU8(text('daily-notes')) });
    const picking = page.waitForEvent('filechooser');
    await hand.press('Choose ZIP file', hand.dialog());
    await (await picking).setFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) });
    await page.getByRole('button', { name: 'Delete daily-notes' }).click();
    await hand.press('Delete', hand.dialog('Delete daily-notes'));
    await expect.poll(() => page.getByRole('button', { name: 'Delete daily-notes' }).count()).toBe(0);
  });
});

describe('a project', () => {
  it('gives its connectors and skills to its tasks, and asks before changes are lost', async () => {
    await page.goto(`${web.base}/projects`);
    await hand.press('New project');
    await hand.field('Name').fill('Letters');
    await page.getByRole('checkbox', { name: 'Garden' }).click();
    await page.getByRole('checkbox', { name: 'weekly-letters' }).click();
    await hand.press('Create', hand.dialog());
    await page.getByRole('heading', { name: 'Letters', level: 1 }).waitFor();
    const { data } = (await web.call('project.list')) as { data: { id: string; connectors: string[]; skills: string[] }[] };
    expect([data[0]?.connectors.length, data[0]?.skills.length]).toEqual([1, 1]);
    await hand.field(/Instruction/).fill('Be kind.');
    await page.getByRole('link', { name: 'View tasks' }).click();
    await hand.dialog('Leave without saving?').waitFor();
    await hand.press('Leave', hand.dialog());
    await page.waitForURL(/project=/);
    await web.runTask(['say in the project'], [], { title: 'Of the project', project_id: data[0]?.id });
    await page.getByRole('main').getByRole('listitem').filter({ hasText: 'Of the project' }).waitFor();
    expect(await page.getByRole('main').getByRole('listitem').filter({ hasText: 'the first words' }).count()).toBe(0);
  });
});

it('caused no error, no policy violation, and no request to another host in all of this', () => {
  const own = [new URL(front.origin).port, String((backServer.address() as AddressInfo).port)];
  const strangers = web.troubles.strangers.filter((url) => !own.includes(new URL(url).port));
  expect({ ...web.troubles, strangers }).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});
