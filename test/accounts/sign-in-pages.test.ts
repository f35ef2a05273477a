import { expect, it } from 'vitest';
import { createQuickPasswords } from '../support/accounts/quick-passwords.ts';
import { setPassword } from '../../src/store/accounts/account-passwords.ts';
import { describeStores } from '../support/db/databases.ts';
import { readForm, type Visit, WebBrowser } from '../support/http/scriptless-browser.ts';
import { addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';
import { newVerifier, OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';
import { TestClock } from '../support/base/test-clock.ts';

const signedInPaths = ['/device', '/device?user_code=x', '/settings', '/team/accept?token=x'];

describeStores('signing in', (store) => {
  it('is required on pages that need it, and leads back to them', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    for (const path of signedInPaths) {
      const asked = await oauth.browser().send(path);
      expect(asked).toMatchObject({ status: 303 });
      expect(asked.location).toMatch(/^\/sign-in/);
      const browser = oauth.browser();
      const page = await browser.open('/sign-in');
      const answer = await browser.submit(page, '/sign-in', { email: oauth.email, password, next: path });
      expect([answer.status, answer.location]).toEqual([303, path]);
      expect((await browser.send(path)).status).toBe(200);
    }
  });

  it('never redirects to another host', async () => {
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

  it("always creates a new session, and ends the browser's previous one", async () => {
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
    const out = await browser.submit(await browser.open('/device'), '/sign-out');
    expect([out.status, out.location]).toEqual([303, '/sign-in']);
    const thief = oauth.browser();
    thief.cookies.set('errand_session', first);
    expect((await thief.send('/device')).location).toBe('/sign-in?next=%2Fdevice');
    expect(JSON.stringify(await store.query('SELECT * FROM sessions'))).not.toContain(first.slice(44));
  });

  it('hides its cookies from scripts and from other hosts', async () => {
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

  it('gives the same answer for a wrong password and an unknown address, and limits guessing', async () => {
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

describeStores('behind a proxy that is trusted', (store) => {
  it('counts attempts per visitor, who cannot use up those of others by forging an address', async () => {
    await using oauth = await OauthUnderTest.start(store.database, {
      settings: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] },
    });
    const browser = oauth.browser();
    const form = readForm((await browser.open('/sign-in')).text, '/sign-in');
    const guess = async (forwarded: string) =>
      (await browser.post('/sign-in', { ...form, email: oauth.email, password: 'wrong' }, { 'x-forwarded-for': forwarded }))
        .status;
    for (let round = 0; round < 10; round++) expect(await guess(`192.0.2.${round}, 203.0.113.1, 10.0.0.7`)).toBe(401);
    expect(await guess('203.0.113.1')).toBe(429);
    expect(await guess('203.0.113.2, 203.0.113.1')).toBe(429);
    expect(await guess('203.0.113.2')).toBe(401);
    expect(await guess('2001:db8::1')).toBe(401);
    const detail = await store.query("SELECT detail FROM security_events WHERE kind = 'sign_in_failed' ORDER BY id DESC LIMIT 1");
    expect(JSON.parse(String(detail[0]?.detail))).toEqual({ from: '2001:db8::1' });
  });

  it('lets the owner in from a new address while strangers guess from many, after a delay', async () => {
    const clock = new TestClock(Date.now());
    const settings = { trustedProxies: ['127.0.0.0/8'] };
    await using oauth = await OauthUnderTest.start(store.database, { settings, clock });
    const browser = oauth.browser();
    const form = readForm((await browser.open('/sign-in')).text, '/sign-in');
    const send = (from: string, guess: string) =>
      browser.post('/sign-in', { ...form, email: oauth.email, password: guess }, { 'x-forwarded-for': from });
    /** The answer to an attempt, and the time by the service's clock that it took. */
    const attempt = async (from: string, guess: string) => {
      const beganAt = clock.monotonic();
      const statuses: number[] = [];
      const sent = send(from, guess).then(({ status }) => statuses.push(status));
      while (statuses.length === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(10);
      }
      await sent;
      return { status: statuses[0], isDelayed: clock.monotonic() - beganAt >= 5000 };
    };
    const strangers = Array.from({ length: 10 }, (_, host) => `203.0.113.${host + 1}`);
    for (const stranger of strangers) {
      const visits = await Promise.all(Array.from({ length: 10 }, () => send(stranger, 'wrong')));
      expect(visits.map(({ status }) => status)).toEqual(Array(10).fill(401));
    }
    for (const stranger of strangers) expect((await send(stranger, 'wrong')).status).toBe(429);
    // They go on all the time, so that none of these limits recovers meanwhile.
    await store.query('UPDATE attempts SET busy_until = busy_until + ? RETURNING name', 3_600_000);
    // A stranger from one more address has two guesses, and waits for the answers.
    for (let round = 0; round < 2; round++) {
      expect(await attempt('198.51.100.1', 'wrong')).toEqual({ status: 401, isDelayed: true });
    }
    expect((await attempt('198.51.100.1', 'wrong')).status).toBe(429);
    expect(await attempt('198.51.100.2', password)).toEqual({ status: 303, isDelayed: true });
  });

  it('an address in a header is ignored without a trusted proxy', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    const form = readForm((await browser.open('/sign-in')).text, '/sign-in');
    const guess = async (round: number) => {
      const headers = { 'x-forwarded-for': `203.0.113.${round}` };
      return (await browser.post('/sign-in', { ...form, email: oauth.email, password: 'wrong' }, headers)).status;
    };
    for (let round = 0; round < 10; round++) expect(await guess(round)).toBe(401);
    expect(await guess(11)).toBe(429);
  });

  it('visitors of shared tasks are counted separately, by IPv4 address or IPv6 network, without a session', async () => {
    const counted: string[] = [];
    const limiter = {
      take(ownerId: string) {
        counted.push(ownerId);
        return { isAllowed: true, limit: 1, remaining: 1, resetS: 1 } as never;
      },
      close: () => Promise.resolve(),
    };
    const settings = { trustedProxies: ['127.0.0.0/8'], controlSocket: `/nowhere/${'x'.repeat(200)}` };
    await using api = await ApiUnderTest.start(store.database, { settings, limiter });
    for (const forwarded of ['203.0.113.1', '203.0.113.2', '2001:db8::1', '2001:db8::2']) {
      const headers = { 'x-errand-web': '1', 'x-forwarded-for': forwarded };
      await api.fetch('/web/share.detail?share_id=x', {}, { key: null, headers });
    }
    expect(new Set(counted)).toEqual(new Set(['visitor 203.0.113.1', 'visitor 203.0.113.2', 'visitor 8193:3512:0:0::/64']));
    const local = new WebBrowser(api.http.url().replace('127.0.0.1', 'localhost'));
    for (const forwarded of ['127.0.0.1', '::1', '203.0.113.1', 'unknown']) {
      expect((await local.send('/set-up', { headers: { 'x-forwarded-for': forwarded } })).status).toBe(404);
    }
    expect((await local.send('/set-up')).status).toBe(200);
  });
});

describeStores('a fresh instance', (store) => {
  it('is set up once, from its own machine, by the first visitor', async () => {
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
    expect((await new WebBrowser(local).signIn('ann@example.com', 'a long password')).text).toContain('Sign out');
  });

  it('continues after set-up to what its first visitor came for, and lets those with a password come in before', async () => {
    await using api = await ApiUnderTest.start(store.database, { settings: { controlSocket: `/nowhere/${'x'.repeat(200)}` } });
    const local = api.http.url().replace('127.0.0.1', 'localhost');
    const path = '/sign-in?next=%2Fdevice%3Fuser_code%3Dx';
    const browser = new WebBrowser(local);
    const page = await browser.open(path);
    const given = { email: 'ann@example.com', password: 'a long password' };
    const differing = await browser.submit(page, '/set-up', { ...given, again: 'another' });
    const { accountId } = await addOwner(store.database);
    const bob = { email: `${accountId}@example.com`.toLowerCase(), password: 'another long one' };
    const hash = await createQuickPasswords().hash(bob.password, 'operator');
    await store.database.run(setPassword, { accountId, hash, now: Date.now(), actor: 'operator' });
    const early = new WebBrowser(local);
    expect((await early.submit(await early.open(path), '/sign-in', bob)).location).toBe('/device?user_code=x');
    expect((await new WebBrowser(local).open('/sign-in')).text).toContain('Welcome to Errand');
    const { location } = await browser.submit(differing, '/set-up', { ...given, again: given.password });
    expect(location).toBe('/device?user_code=x');
  });

  it('that is not embedded is not set up in a browser', async () => {
    await using api = await ApiUnderTest.start(store.database);
    expect((await new WebBrowser(api.http.url().replace('127.0.0.1', 'localhost')).send('/set-up')).status).toBe(404);
  });
});

describeStores('a page', (store) => {
  it('loads nothing from elsewhere, runs no scripts, and no request makes it fail', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    await browser.signIn(oauth.email, password);
    const app = await oauth.addApp({ name: '"><script>alert(1)</script>' });
    const { challenge } = newVerifier();
    for (const path of ['/device', '/sign-in', oauth.authorizePath(app, challenge)]) {
      const { text, headers } = await (path === '/sign-in' ? oauth.browser() : browser).open(path);
      expect(text).not.toContain('<script');
      expect(text).not.toMatch(/(src|href|style)="(https?:)?\/\//);
      expect(text).not.toContain(' style="');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
    for (const path of ['/device?%zz', '/sign-in?next=1&next=2', '/device?user_code=%00']) {
      const { status, headers } = await browser.send(path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    for (const body of ['a=%zz', 'a=1&a=2', 'action=__proto__', '\u0000', 'x'.repeat(70_000)]) {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      const { status } = await browser.send('/device', init);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });
});
