import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { checkSignIn } from '../../src/doctor/sign-in-check.ts';
import { readConfig } from '../../src/config/config.ts';
import { formTokenOf } from '../../src/oauth/pages/session/form-guard.ts';
import { findQuietPort } from '../support/service/quiet-port.ts';
import { findEnglish } from '../support/accounts/english.ts';
import { OidcPeer, type Person } from '../support/accounts/oidc-peer.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { LocalService } from '../support/service/local-service.ts';
import { type Visit, WebBrowser } from '../support/http/scriptless-browser.ts';

const password = 'a long password of the owner';
const owner: Person = { sub: 'owner|1', email: 'Owner@Example.com', email_verified: true };
const settings = {
  ERRAND_BOOTSTRAP_EMAIL: 'owner@example.com',
  ERRAND_BOOTSTRAP_PASSWORD: password,
  ERRAND_SECRET: 'thirty-two-random-characters-or-so',
  ERRAND_OIDC_CLIENT_ID: 'errand',
  ERRAND_OIDC_CLIENT_SECRET: 'canary & secret: of the client',
  ERRAND_OIDC_NAME: 'Example <Staff>',
  ERRAND_OIDC_SIGN_UP: 'true',
  ERRAND_OIDC_TEAM: 'Staff',
  ERRAND_OIDC_DOMAINS: 'example.com,example.org',
};

describe.each(['embedded', 'PostgreSQL'])('signing in at a provider, with the %s database', (kind) => {
  let peer: OidcPeer;
  let here: LocalService;
  /** Another process on the same database, or the same one. */
  let there: LocalService;
  let databaseUrl: string | null = null;
  let env: Record<string, string>;

  beforeAll(async () => {
    databaseUrl = kind === 'PostgreSQL' ? await createDatabase() : null;
    const base = `http://127.0.0.1:${await findQuietPort()}`;
    peer = await OidcPeer.start({
      client_id: 'errand',
      client_secret: settings.ERRAND_OIDC_CLIENT_SECRET,
      redirect_uris: [`${base}/sign-in/oidc/callback`],
      // It says that it takes the secret in either place, and does not.
      token_endpoint_auth_method: 'client_secret_post',
    });
    env = { ...settings, ERRAND_OIDC_ISSUER: peer.issuer, ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }) };
    env.ERRAND_PUBLIC_URL = base;
    here = await LocalService.start({ env: { ...env, ERRAND_PORT: new URL(base).port } });
    there = databaseUrl === null ? here : await LocalService.start({ env });
  });
  afterAll(async () => {
    await peer.stop();
    await here.end();
    if (there !== here) await there.end();
    if (databaseUrl !== null) await dropDatabase(databaseUrl);
  });

  /** From the sign-in page to the provider, and where that sends the browser back to. */
  async function leave(browser: WebBrowser, person: Person | null, next = '/device'): Promise<string> {
    const page = await browser.open(`/sign-in?next=${encodeURIComponent(next)}`);
    const [, href = ''] = /<a class="button wide" href="([^"]*)">Continue with Example &lt;Staff&gt;<\/a>/.exec(page.text) ?? [];
    expect([page.status, href]).toEqual([200, `/sign-in/oidc?next=${encodeURIComponent(next)}`]);
    const { status, location } = await browser.send(href);
    expect([status, location.startsWith(`${peer.issuer}/auth?`)]).toEqual([303, true]);
    return peer.visit(location, person);
  }

  /** Comes back, at whichever process: they are one service. */
  function comeBack(browser: WebBrowser, address: string): Promise<Visit> {
    const { pathname, search } = new URL(address);
    return browser.send(pathname + search);
  }

  async function whoIs(browser: WebBrowser): Promise<string> {
    const { text } = await browser.send('/web/session.show', { headers: { 'x-errand-web': '1' } });
    return (JSON.parse(text) as { account?: { email: string } }).account?.email ?? 'nobody';
  }

  async function signIn(person: Person, browser = new WebBrowser(here.url)): Promise<{ answer: Visit; browser: WebBrowser }> {
    return { answer: await comeBack(browser, await leave(browser, person)), browser };
  }

  it('signs the owner of a verified address in to its account, and continues to the requested page', async () => {
    const browser = new WebBrowser(here.url);
    const back = await leave(browser, owner, '/device?user_code=x');
    // The other process, which shares the secret and the database, receives the response.
    const elsewhere = new WebBrowser(there.url);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const answer = await comeBack(elsewhere, back);
    expect([answer.status, answer.location]).toEqual([303, '/device?user_code=x']);
    expect(elsewhere.cookies.has('errand_sso')).toBe(false);
    expect(await whoIs(elsewhere)).toBe('owner@example.com');
    // Used is used, at every process and also with a copy of the cookie.
    const again = await comeBack(browser, back);
    expect([again.status, again.text.includes('Start again.')]).toEqual([400, true]);
    expect(await whoIs(browser)).toBe('nobody');
    expect((await new WebBrowser(here.url).signIn('owner@example.com', password)).text).toContain('Sign out');
  });

  it('uses the subject from then on, whatever happens to the address', async () => {
    const moved = await signIn({ ...owner, email: 'someone@example.org' });
    expect([moved.answer.status, await whoIs(moved.browser)]).toEqual([303, 'owner@example.com']);
    // The address now belongs to another user there, who does not get the account with it.
    const heir = await signIn({ ...owner, sub: 'heir|2' });
    expect([heir.answer.status, heir.answer.text.includes('is linked to a different')]).toEqual([403, true]);
    expect(await whoIs(heir.browser)).toBe('nobody');
  });

  it('creates an account for a verified address of these domains, once', async () => {
    const bob = { sub: 'bob', email: 'bob@example.org', email_verified: true };
    const both = await Promise.all([signIn(bob), signIn(bob, new WebBrowser(there.url))]);
    expect(both.map(({ answer }) => answer.status)).toEqual([303, 303]);
    expect(await Promise.all(both.map(({ browser }) => whoIs(browser)))).toEqual([bob.email, bob.email]);
    // The team is not there yet, which keeps nobody out.
    const line = await Promise.race([here, there].map((each) => each.waitForLog(({ team }) => team === 'Staff')));
    expect(line.reason).toBe('team not found');
    const { browser: founder } = await signIn(owner);
    expect((await founder.call('team.create', { name: 'Staff' })).status).toBe(200);
    const { browser: member } = await signIn({ ...bob, sub: 'cleo', email: 'cleo@example.org' });
    const { text } = await member.send('/web/session.show', { headers: { 'x-errand-web': '1' } });
    expect(JSON.parse(text)).toMatchObject({ account: { email: 'cleo@example.org' }, team: { name: 'Staff', role: 'member' } });
    for (const [change, reason] of [
      [{ email_verified: false }, 'hasn’t verified eve@example.com'],
      [{ email: undefined }, 'didn’t share your email'],
      [{ email: 'eve@example.net' }, 'isn’t allowed to sign in here'],
      [{ email: 'eve@example.com.evil.net' }, 'isn’t allowed to sign in here'],
    ] as const) {
      const { answer, browser } = await signIn({
        sub: 'eve',
        email: 'eve@example.com',
        email_verified: true,
        ...change,
      } as Person);
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(reason)]);
      expect(await whoIs(browser)).toBe('nobody');
    }
  });

  it('is tested by the doctor, which distinguishes a wrong issuer from a wrong secret', async () => {
    const examine = (changes: Record<string, string> = {}) =>
      checkSignIn({ config: readConfig({ ...env, ...changes }), clock: systemClock });
    expect(await examine()).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('answers and knows this service') as string,
    });
    const wrong = await examine({ ERRAND_OIDC_CLIENT_SECRET: 'another' });
    expect([wrong.state, wrong.remedy]).toEqual(['missing', expect.stringContaining('ERRAND_OIDC_CLIENT_SECRET')]);
    for (const [issuer, found] of [
      [`${peer.issuer}/realms/none`, 'answers with 404'],
      [here.url, 'its document has no proper'],
      [peer.issuer.replace('127.0.0.1', 'localhost'), 'it calls itself'],
      [`http://127.0.0.1:${await findQuietPort()}`, 'refuses connections'],
    ] as const) {
      const check = await examine({ ERRAND_OIDC_ISSUER: issuer });
      expect([issuer, check.state, check.found]).toEqual([issuer, 'missing', expect.stringContaining(found)]);
    }
  });

  it("accepts only the response to this browser's own request", async () => {
    const browser = new WebBrowser(here.url);
    const back = await leave(browser, owner);
    const without = (name: string) => {
      const url = new URL(back);
      url.searchParams.delete(name);
      return url.href;
    };
    const refused = async (address: string, from = browser) => {
      const { status, text } = await comeBack(from, address);
      expect([status >= 400 && status < 500, text.includes('role="alert"')]).toEqual([true, true]);
    };
    await refused(back, new WebBrowser(here.url));
    await refused(without('state'));
    await refused(back.replace(/state=./, (begin) => (begin === 'state=0' ? 'state=1' : 'state=0')));
    const other = new WebBrowser(here.url);
    await refused(await leave(other, owner));
    // Nothing of this ended what was under way.
    expect((await comeBack(browser, back)).status).toBe(303);

    // An answer of another provider in the same question (RFC 9207), one without a code, and one to a refusal.
    for (const [change, status] of [
      [(url: URL) => url.searchParams.set('iss', 'https://evil.example'), 502],
      [(url: URL) => url.searchParams.delete('iss'), 502],
      [(url: URL) => url.searchParams.set('code', 'wrong'), 400],
    ] as const) {
      const next = new WebBrowser(here.url);
      const url = new URL(await leave(next, owner));
      change(url);
      expect((await comeBack(next, url.href)).status).toBe(status);
      expect(await whoIs(next)).toBe('nobody');
    }
    const refuser = new WebBrowser(here.url);
    const no = await comeBack(refuser, await leave(refuser, null));
    expect([no.status, no.text.includes('didn’t sign you in')]).toEqual([403, true]);
    const reader = new WebBrowser(here.url);
    const answer = await leave(reader, null);
    reader.language = 'zh-CN';
    const said = await comeBack(reader, answer);
    expect([said.status, said.text.match(/Example &lt;Staff&gt; (未完成登录|登录)/g)?.length, findEnglish(said.text)]).toEqual([
      403,
      2,
      [],
    ]);
  });

  it('is linked and unlinked only by the signed-in user', async () => {
    const { browser } = await signIn(owner);
    const listed = async () => {
      const { text } = await browser.send('/web/identity.list', { headers: { 'x-errand-web': '1' } });
      return (JSON.parse(text) as { data: { email: string; subject: string }[]; provider: unknown }).data;
    };
    expect(await listed()).toMatchObject([{ subject: 'owner|1', email: 'owner@example.com' }]);
    expect((await browser.call('identity.unlink', { issuer: peer.issuer })).status).toBe(200);
    expect((await browser.call('identity.unlink', { issuer: peer.issuer })).status).toBe(404);
    const begin = async (from: WebBrowser) => {
      const answer = await from.submit(await from.open('/sign-in/link'), '/sign-in/link');
      const [, location = ''] = /^0;url=(.*)$/.exec(answer.headers.get('refresh') ?? '') ?? [];
      expect([answer.status, location.startsWith(`${peer.issuer}/auth?`)]).toEqual([200, true]);
      return location;
    };
    expect((await browser.post('/sign-in/link', { action: 'begin' })).status).toBe(403);
    expect((await new WebBrowser(here.url).send('/sign-in/link')).location).toContain('/sign-in?next=');
    const other = { sub: 'home', email: 'owner.at.home@example.org', email_verified: true };
    // Whose sign-in has ended meanwhile, or was never there, links nothing.
    const back = await peer.visit(await begin(browser), other);
    const stranger = new WebBrowser(here.url);
    stranger.cookies.set('errand_sso', browser.cookies.get('errand_sso') ?? '');
    expect((await comeBack(stranger, back)).status).toBe(400);
    const later = await peer.visit(await begin(browser), other);
    const { browser: another } = await signIn(owner);
    another.cookies.set('errand_sso', browser.cookies.get('errand_sso') ?? '');
    expect((await comeBack(another, later)).status).toBe(400);
    expect(await listed()).toMatchObject([{ subject: 'owner|1' }]);
    expect((await browser.call('identity.unlink', { issuer: peer.issuer })).status).toBe(200);
    const done = await comeBack(browser, await peer.visit(await begin(browser), other));
    expect([done.status, done.location]).toEqual([303, '/settings/sessions']);
    expect(await listed()).toMatchObject([{ subject: 'home', email: other.email }]);
    expect(await whoIs((await signIn(other)).browser)).toBe('owner@example.com');
    // One identity has one account.
    const bob = (await signIn({ sub: 'bob', email: 'bob@example.org', email_verified: true })).browser;
    expect((await bob.call('identity.unlink', { issuer: peer.issuer })).status).toBe(412);
    expect((await browser.call('identity.unlink', { issuer: peer.issuer })).status).toBe(200);
    const taken = await comeBack(browser, await peer.visit(await begin(browser), { ...other, sub: 'bob' }));
    expect([taken.status, taken.text.includes('belongs to another account')]).toEqual([412, true]);
  });

  it('survives a key change of the provider, and reports an outage; passwords work meanwhile', async () => {
    await peer.restart();
    expect((await signIn(owner)).answer.status).toBe(303);
    const browser = new WebBrowser(here.url);
    const back = await leave(browser, owner);
    // An answer that has been heard is not asked about again, even with a copy of what the browser had.
    const [first, copy] = [new WebBrowser(here.url), new WebBrowser(here.url)];
    const received = await leave(first, owner);
    for (const [name, value] of first.cookies) copy.cookies.set(name, value);
    expect((await comeBack(first, received)).status).toBe(303);
    await peer.stop();
    expect((await comeBack(copy, received)).status).toBe(400);
    const away = await comeBack(browser, back);
    expect([away.status, away.text.includes('isn’t responding')]).toEqual([503, true]);
    await here.restart();
    const early = await new WebBrowser(here.url).send('/sign-in/oidc');
    expect([early.status, early.text.includes('isn’t responding')]).toEqual([503, true]);
    expect((await new WebBrowser(here.url).signIn('owner@example.com', password)).text).toContain('Sign out');
    await peer.restart();
    expect((await signIn(owner)).answer.status).toBe(303);
  });

  it('can be the only way in', async () => {
    await here.restart({ ERRAND_PASSWORD_SIGN_IN: 'false', ERRAND_OIDC_CLIENT_SECRET: 'another' });
    const browser = new WebBrowser(here.url);
    const page = await browser.open('/sign-in');
    expect([page.text.includes('Continue with'), page.text.includes('type="password"')]).toEqual([true, false]);
    const form = { email: 'owner@example.com', password, form_token: formTokenOf(browser.cookies.get('errand_form') ?? '') };
    const refused = await browser.post('/sign-in', form);
    expect([refused.status, refused.text.includes('Password sign-in is turned off')]).toEqual([403, true]);
    // A wrong secret is something that only an operator can mend.
    const { answer } = await signIn(owner);
    expect([answer.status, answer.text.includes('errand doctor')]).toEqual([502, true]);
    const line = await here.waitForLog(({ msg }) => msg === 'nobody was signed in by the provider');
    expect(line.reason).toContain('ERRAND_OIDC_CLIENT_SECRET');
    expect(JSON.stringify(here.lines)).not.toContain('canary');
  });
});
