import { expect, it } from 'vitest';
import { createTeam } from '../../src/store/teams.ts';
import { newId } from '../../src/base/ids.ts';
import { describeStores } from '../support/databases.ts';
import { readForm, type Visit, WebBrowser } from '../support/web-browser.ts';
import { ApiUnderTest } from './api-under-test.ts';
import { newVerifier, OauthUnderTest, password } from './oauth-under-test.ts';

const signedInPaths = [
  '/settings',
  '/settings/keys',
  '/settings/connections',
  '/settings/connectors',
  '/settings/apps',
  '/settings/team',
  '/team/accept?token=x',
];

function secretOf({ text }: Visit): string {
  return /<code class="secret">([^<]+)</.exec(text)?.[1] ?? '';
}

/** The fields of the first form of the page that asks for this. */
function formOf({ text }: Visit, action: string): Record<string, string> {
  const part = text.split('<form').find((form) => form.includes(`name="action" value="${action}"`)) ?? '';
  const target = /action="([^"]+)"/.exec(part)?.[1] ?? '';
  return readForm(`<form${part}`, target);
}

describeStores('signing in', (store) => {
  it('is asked of whoever opens a page of the signed-in part, and leads back to it', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    for (const path of signedInPaths) {
      const asked = await oauth.browser().send(path);
      expect(asked).toMatchObject({ status: 303 });
      expect(asked.location).toMatch(/^\/sign-in/);
      const page = await oauth.browser().signIn(oauth.email, password, path);
      expect(page.status).toBe(200);
      expect(page.text).toContain('Sign out');
    }
  });

  it('never leads to another host', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/%0d%0aset-cookie:x',
      'javascript:x',
      '/ x',
      '',
    ]) {
      const browser = oauth.browser();
      const page = await browser.open('/sign-in');
      const { location } = await browser.submit(page, '/sign-in', { email: oauth.email, password, next });
      expect(new URL(location, 'https://errand.example').host).toBe('errand.example');
    }
  });

  it('makes a new session each time, whatever the browser brought along, and ends that of before', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    browser.cookies.set('errand_session', 'A'.repeat(87));
    await browser.signIn(oauth.email, password);
    const first = browser.cookies.get('errand_session') ?? '';
    expect(first).toMatch(/^[0-9A-Za-z]{87}$/);
    expect(first).not.toBe('A'.repeat(87));
    const again = oauth.browser();
    again.cookies.set('errand_session', first);
    const page = await oauth.browser().open('/sign-in');
    const form = readForm(page.text, '/sign-in');
    again.cookies.set('errand_form', 'B'.repeat(43));
    expect((await again.post('/sign-in', { ...form, email: oauth.email, password })).status).toBe(403);
    const settings = await browser.open('/settings');
    const out = await browser.submit(settings, '/sign-out');
    expect([out.status, out.location]).toEqual([303, '/sign-in']);
    const thief = oauth.browser();
    thief.cookies.set('errand_session', first);
    expect((await thief.send('/settings')).location).toBe('/sign-in?next=%2Fsettings');
    expect(JSON.stringify(await store.query('SELECT * FROM sessions'))).not.toContain(first.slice(44));
  });

  it('keeps its cookies from scripts and from other hosts', async () => {
    await using plain = await OauthUnderTest.start(store.database);
    await using secure = await OauthUnderTest.start(store.database, { settings: { publicUrl: 'https://errand.example' } });
    const cookiesOf = async (oauth: OauthUnderTest) => {
      const browser = new WebBrowser(oauth.url);
      const page = await browser.open('/sign-in');
      const answer = await browser.submit(page, '/sign-in', { email: oauth.email, password });
      return [...page.headers.getSetCookie(), ...answer.headers.getSetCookie()].filter((line) => !line.includes('Max-Age=0'));
    };
    for (const line of await cookiesOf(secure))
      expect(line).toMatch(/^__Host-errand_\w+=\w+; Path=\/; HttpOnly; SameSite=Lax; Secure/);
    for (const line of await cookiesOf(plain))
      expect(line).toMatch(/^errand_\w+=\w+; Path=\/; HttpOnly; SameSite=Lax(; Max-Age=\d+)?$/);
  });

  it('says the same for a wrong password and for an address without an account, and stops guessing', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    const page = await browser.open('/sign-in');
    const attempt = (email: string, guess: string) => browser.submit(page, '/sign-in', { email, password: guess });
    const [wrong, unknown] = [await attempt(oauth.email, 'wrong'), await attempt('nobody@example.com', 'wrong')];
    const plain = ({ text, status }: Visit) => [status, text.replaceAll(/value="[^"]*"/g, '')];
    expect(plain(wrong)).toEqual(plain(unknown));
    expect(wrong.status).toBe(401);
    // Another process counts on.
    await using there = await ApiUnderTest.start(store.others[0] ?? store.database, { owner: oauth.api.owner });
    const elsewhere = new WebBrowser(there.http.url());
    const form = await elsewhere.open('/sign-in');
    const guess = { email: oauth.email.toUpperCase(), password: 'wrong' };
    for (let round = 0; round < 9; round++) expect((await elsewhere.submit(form, '/sign-in', guess)).status).toBe(401);
    const late = await attempt(oauth.email, password);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    const record = await store.query("SELECT kind FROM security_events WHERE kind = 'sign_in_failed'");
    expect(record).toHaveLength(10);
  });
});

describeStores('a fresh instance', (store) => {
  it('is set up once, from its own machine, by whoever comes first', async () => {
    // A control socket stands for an embedded instance; its path is never used, because nothing of this name can be made.
    await using api = await ApiUnderTest.start(store.database, { settings: { controlSocket: `/nowhere/${'x'.repeat(200)}` } });
    const local = api.http.url().replace('127.0.0.1', 'localhost');
    const browser = new WebBrowser(local);
    for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }, { via: '1.1 proxy' }]) {
      expect((await browser.send('/set-up', { headers })).status).toBe(404);
    }
    const page = await browser.open('/sign-in');
    expect(page.text).toContain('Welcome to Errand');
    const given = { email: 'Ann@Example.com', password: 'a long password', again: 'a long password' };
    expect((await browser.submit(page, '/set-up', { ...given, again: 'another' })).status).toBe(400);
    expect((await browser.submit(page, '/set-up', { ...given, password: 'short', again: 'short' })).status).toBe(400);
    const [one, two] = [new WebBrowser(local), new WebBrowser(local)];
    const [first, second] = [await one.open('/set-up'), await two.open('/set-up')];
    const both = await Promise.all([one.submit(first, '/set-up', given), two.submit(second, '/set-up', given)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
    expect((await browser.send('/set-up')).status).toBe(404);
    expect((await new WebBrowser(local).signIn('ann@example.com', 'a long password')).text).toContain('ann@example.com');
  });

  it('that is not embedded is not set up in a browser', async () => {
    await using api = await ApiUnderTest.start(store.database);
    expect((await new WebBrowser(api.http.url().replace('127.0.0.1', 'localhost')).send('/set-up')).status).toBe(404);
  });
});

describeStores('the settings', (store) => {
  it('make and revoke API keys, which work at once and are shown once', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, '/settings/keys');
    const made = await browser.post('/settings/keys', { ...formOf(page, 'create'), name: 'from the browser' });
    const key = secretOf(made);
    expect((await oauth.api.call('task.list', {}, { key })).status).toBe(200);
    const list = await browser.open('/settings/keys');
    expect(list.text).toContain('from the browser');
    expect(list.text).not.toContain(key);
    const id = /aria-label="Revoke from the browser"/.test(list.text)
      ? (list.text
          .split('Revoke from the browser')[0]
          ?.match(/name="id" value="([^"]+)"/g)
          ?.at(-1)
          ?.slice(17, -1) ?? '')
      : '';
    const gone = await browser.post('/settings/keys', { ...formOf(list, 'revoke'), id });
    expect(gone.text).toContain('The key is revoked.');
    expect((await oauth.api.call('task.list', {}, { key })).status).toBe(401);
    expect((await browser.post('/settings/keys', { action: 'create', name: 'forged' })).status).toBe(403);
    expect((await browser.post('/settings/keys', { ...formOf(list, 'create'), name: ' ' })).text).toContain('must not be empty');
  });

  it('register an application, change its secrets, and delete it; nobody else sees it', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    await using stranger = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, '/settings/apps');
    const typed = {
      name: 'Mine & "yours"',
      redirect_uris: 'https://app.example/callback\r\nmyapp:done',
      scope_create_task: 'on',
    };
    const refused = await browser.post('/settings/apps', { ...formOf(page, 'create'), ...typed, redirect_uris: 'javascript:x' });
    expect(refused.text).toContain('must not use the scheme');
    const made = await browser.post('/settings/apps', { ...formOf(page, 'create'), ...typed, trusted: 'on' });
    const secret = secretOf(made);
    const clientId = /client id ([0-9A-Za-z]{22})/.exec(made.text)?.[1] ?? '';
    expect((await store.query('SELECT kind FROM oauth_apps WHERE client_id = ?', clientId))[0]?.kind).toBe('team');
    const path = `/settings/app?client_id=${clientId}`;
    const app = await browser.open(path);
    expect(app.text).toContain('Mine &amp; &quot;yours&quot;');
    const more = secretOf(await browser.post(path, formOf(app, 'add')));
    const ask = (text: string) =>
      oauth.token({ grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId, client_secret: text });
    for (const text of [secret, more]) expect((await ask(text)).body.error).toBe('invalid_grant');
    await browser.post(path, formOf(await browser.open(path), 'revoke'));
    expect((await ask(secret)).body.error).toBe('invalid_client');
    expect((await ask(more)).body.error).toBe('invalid_grant');
    const other = stranger.browser();
    await other.signIn(stranger.email, password);
    expect((await other.open(path)).status).toBe(404);
    const own = await other.open('/settings/apps');
    expect((await other.post(path, { ...formOf(own, 'create'), action: 'delete' })).status).toBe(404);
    expect((await browser.post(path, formOf(await browser.open(path), 'delete'))).location).toBe('/settings/apps');
    expect((await ask(more)).body.error).toBe('invalid_client');
  });

  it('show what is connected and disconnect it at once', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp({ name: 'Calendar' });
    const { access_token: token } = await oauth.connect(app);
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, '/settings/connections');
    expect(page.text).toContain('Calendar');
    expect(page.text).toContain('Start tasks in your name');
    const gone = await browser.submit(page, '/settings/connections');
    expect(gone.text).toContain('disconnected');
    expect(gone.text).toContain('No application is connected');
    expect(await oauth.isLive(token)).toBe(false);
  });

  it('change the password for one who knows it, and sign out everywhere else', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const [here, there] = [oauth.browser(), oauth.browser()];
    const page = await here.signIn(oauth.email, password);
    await there.signIn(oauth.email, password);
    const change = (fields: Record<string, string>) => here.post('/settings', { ...formOf(page, 'password'), ...fields });
    const next = 'a new long password';
    expect((await change({ current: 'wrong', password: next, again: next })).text).toContain('current password is wrong');
    expect((await there.send('/settings')).status).toBe(200);
    expect((await change({ current: password, password: next, again: next })).text).toContain('password is changed');
    expect((await there.send('/settings')).status).toBe(303);
    expect((await here.send('/settings')).status).toBe(200);
    expect((await oauth.browser().signIn(oauth.email, password)).status).toBe(401);
    expect((await oauth.browser().signIn(oauth.email, next)).status).toBe(200);
  });

  it('bring people into a team, by an address that works for them alone', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    await using guest = await OauthUnderTest.start(store.database);
    await using stranger = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, '/settings/team');
    const team = await browser.post('/settings/team', { ...formOf(page, 'create'), name: 'Blue' });
    expect(team.text).toContain('<strong>owner</strong> of <strong>Blue</strong>');
    const invited = await browser.post('/settings/team', { ...formOf(team, 'invite'), email: guest.email, role: 'member' });
    const link = new URL(secretOf(invited));
    const accept = async (who: OauthUnderTest) => {
      const at = who.browser();
      const asked = await at.signIn(who.email, password, link.pathname + link.search);
      return at.submit(asked, '/team/accept');
    };
    expect((await accept(stranger)).text).toContain('invitation not found');
    expect((await accept(guest)).location).toBe('/settings/team');
    expect((await accept(guest)).text).toContain('invitation not found');
    expect((await browser.open('/settings/team')).text).toContain(guest.email);
    const member = guest.browser();
    const seen = await member.signIn(guest.email, password, '/settings/team');
    expect(seen.text).not.toContain('Invite somebody');
    const token = readForm(seen.text, '/sign-out').form_token ?? '';
    const forced = await member.post('/settings/team', {
      form_token: token,
      action: 'invite',
      email: 'x@example.com',
      role: 'admin',
    });
    expect(forced.text).toContain('Only the owner and the admins');
    const app = await oauth.addApp();
    expect(await guest.isLive((await guest.connect(app)).access_token)).toBe(true);
  });

  it('let a member who has left keep no token of the application of the team', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    await using guest = await OauthUnderTest.start(store.database);
    const teamId = newId(Date.now());
    await store.database.run(createTeam, { teamId, name: 'Red', ownerId: oauth.api.owner.accountId, now: 1, actor: 'operator' });
    await store.query(
      "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', 1)",
      guest.api.owner.accountId,
      teamId,
    );
    const { access_token: token } = await guest.connect(await oauth.addApp());
    expect(await guest.isLive(token)).toBe(true);
    const browser = guest.browser();
    const page = await browser.signIn(guest.email, password, '/settings/team');
    await browser.post('/settings/team', { ...formOf(page, 'remove') });
    expect(await guest.isLive(token)).toBe(false);
  });
});

describeStores('a page', (store) => {
  it('takes nothing from elsewhere, runs no scripts, and no request makes it fail', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    await browser.signIn(oauth.email, password);
    const app = await oauth.addApp({ name: '"><script>alert(1)</script>' });
    const { challenge } = newVerifier();
    for (const path of [
      ...signedInPaths,
      '/sign-in',
      oauth.authorizePath(app, challenge),
      `/settings/app?client_id=${app.clientId}`,
    ]) {
      const { text, headers } = await (path === '/sign-in' ? oauth.browser() : browser).open(path);
      expect(text).not.toContain('<script');
      expect(text).not.toMatch(/(src|href|style)="(https?:)?\/\//);
      expect(text).not.toContain(' style="');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
    for (const path of ['/settings?%zz', '/sign-in?next=1&next=2', '/settings/app', '/settings/app?client_id=%00']) {
      const { status, headers } = await browser.send(path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    for (const body of ['a=%zz', 'a=1&a=2', 'action=__proto__', '\u0000', 'x'.repeat(70_000)]) {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      const { status } = await browser.send('/settings', init);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });
});
