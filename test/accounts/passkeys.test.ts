import { expect, it } from 'vitest';
import { addInstanceKey, type Json } from '../support/http/api-under-test.ts';
import { readForm, type Visit, type WebBrowser } from '../support/http/scriptless-browser.ts';
import { type Deviation, SoftwareAuthenticator } from '../support/accounts/software-authenticator.ts';
import { turnTwoStepOn } from '../support/accounts/two-step.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';

/** The origin at which browsers make passkeys for a service on this machine. */
const siteOf = (oauth: OauthUnderTest) => oauth.url.replace('127.0.0.1', 'localhost').replace(/\/$/, '');

/** The question that a sign-in page puts to passkeys; null without one. */
function questionOf({ text }: Visit): Record<string, unknown> | null {
  const asked = /data-options="([^"]*)"/.exec(text)?.[1];
  return asked === undefined ? null : (JSON.parse(asked.replaceAll('&quot;', '"')) as Record<string, unknown>);
}

async function signedIn(oauth: OauthUnderTest): Promise<WebBrowser> {
  const browser = oauth.browser();
  await browser.signIn(oauth.email, password);
  return browser;
}

/** Adds a passkey to the account, as the settings page does. */
async function addPasskey(oauth: OauthUnderTest, browser: WebBrowser, name = 'Phone'): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(siteOf(oauth));
  const { body: begun } = await browser.call('account.passkeyBegin', { password });
  const credential = authenticator.create(begun.options as Record<string, unknown>);
  const added = await browser.call('account.passkeyAdd', { setup_id: begun.setup_id, credential, name: `${name}\0` });
  expect([added.status, (added.body.passkey as Json).name]).toEqual([200, `${name}\ufffd`]);
  return authenticator;
}

interface Attempt {
  authenticator: SoftwareAuthenticator;
  page?: Visit;
  changes?: Deviation;
  next?: string;
}

/** Answers the question of a sign-in page. */
async function use(browser: WebBrowser, { authenticator, page, changes, next = '/device' }: Attempt): Promise<Visit> {
  const shown = page ?? (await browser.open(`/sign-in?next=${encodeURIComponent(next)}`));
  const credential = authenticator.use(questionOf(shown) ?? {}, changes);
  return browser.post('/sign-in/passkey', { ...readForm(shown.text, '/sign-in/passkey'), credential });
}

async function list(browser: WebBrowser): Promise<Json> {
  return JSON.parse((await browser.send('/web/account.passkeys', { headers: { 'x-errand-web': '1' } })).text) as Json;
}

describeStores('passkeys', (store) => {
  it('are added with the password, and sign in without it, also where the account asks for a second step', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    expect(questionOf(await oauth.browser().open('/sign-in'))).toBe(null);
    const authenticator = await addPasskey(oauth, await signedIn(oauth));
    await turnTwoStepOn(store.database, oauth.api.owner.accountId);
    const fresh = oauth.browser();
    const page = await fresh.open('/sign-in?next=%2Fdevice%3Fuser_code%3Dx');
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+';/);
    const done = await use(fresh, { authenticator, page });
    expect([done.status, done.location]).toEqual([303, '/device?user_code=x']);
    expect((await fresh.send('/device')).status).toBe(200);
    const [passkey] = (await list(fresh)).data as Json[];
    expect(passkey).toMatchObject({ name: 'Phone\ufffd', is_synced: false, last_used_at: expect.any(Number) as number });
    const events = await store.query("SELECT kind, detail FROM security_events WHERE kind IN ('signed_in', 'passkey_added')");
    expect(JSON.stringify(events)).toContain('passkey_added');
    expect(JSON.stringify(events)).toContain(String.raw`\"by\":\"passkey\"`);
  });

  it('count once: neither an answer that was used, nor one to an earlier page, nor a copied authenticator signs in', async () => {
    const clock = new TestClock(Date.now());
    await using oauth = await OauthUnderTest.start(store.database, { clock });
    const authenticator = await addPasskey(oauth, await signedIn(oauth));
    clock.jump(1000);
    const [browser, late] = [oauth.browser(), oauth.browser()];
    const earlier = await late.open('/sign-in');
    clock.jump(1000);
    const page = await browser.open('/sign-in');
    const form = readForm(page.text, '/sign-in/passkey');
    const secret = browser.cookies.get('errand_form') ?? '';
    const credential = authenticator.use(questionOf(page) ?? {});
    const race = await Promise.all([1, 2, 3].map(() => browser.post('/sign-in/passkey', { ...form, credential })));
    expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401]);
    const thief = oauth.browser();
    thief.cookies.set('errand_form', secret);
    expect((await thief.post('/sign-in/passkey', { ...form, credential })).status).toBe(401);
    expect((await use(late, { authenticator, page: earlier })).status).toBe(401);
    clock.jump(1000);
    expect((await use(oauth.browser(), { authenticator, changes: { signCount: 1 } })).status).toBe(401);
    expect((await use(oauth.browser(), { authenticator })).status).toBe(303);
  });

  it('prove their site, browser, page, and user, or sign nobody in', async () => {
    const clock = new TestClock(Date.now());
    await using oauth = await OauthUnderTest.start(store.database, { clock });
    const owner = await signedIn(oauth);
    const authenticator = await addPasskey(oauth, owner);
    clock.jump(1000);
    const other = await oauth.browser().open('/sign-in');
    const lies: Deviation[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { challenge: String(questionOf(other)?.challenge) },
      { challenge: 'AAAA' },
      { userId: Buffer.from('A'.repeat(22)).toString('base64url') },
      { userId: Buffer.from("' OR 1=1 --").toString('base64url') },
    ];
    for (const changes of lies) {
      const refused = await use(oauth.browser(), { authenticator, changes });
      expect([refused.status, refused.headers.getSetCookie().join().includes('errand_session')]).toEqual([401, false]);
    }
    const stranger = oauth.browser();
    const shown = await stranger.open('/sign-in');
    const form = readForm(shown.text, '/sign-in/passkey');
    for (const credential of ['', 'no JSON', '[]', 'null', '{"id":1}', `{"id":"${'x'.repeat(30_000)}"}`]) {
      expect((await stranger.post('/sign-in/passkey', { ...form, credential })).status, credential.slice(0, 20)).toBe(401);
    }
    clock.jump(10 * 60 * 1000);
    expect((await use(stranger, { authenticator, page: shown })).status).toBe(401);
    const stolen = new SoftwareAuthenticator(siteOf(oauth));
    const { body: begun } = await owner.call('account.passkeyBegin', { password });
    stolen.create(begun.options as Record<string, unknown>);
    expect((await use(oauth.browser(), { authenticator: stolen })).status).toBe(401);
    const forged = { ...form, form_token: 'forged', credential: '{}' };
    expect((await stranger.post('/sign-in/passkey', forged)).status).toBe(403);
  });

  it('are not added with a wrong password, an old or foreign setup, or a passkey of another site', async () => {
    const clock = new TestClock(Date.now());
    await using oauth = await OauthUnderTest.start(store.database, { clock });
    const browser = await signedIn(oauth);
    expect((await browser.call('account.passkeyBegin', { password: 'wrong' })).status).toBe(400);
    const { body: begun } = await browser.call('account.passkeyBegin', { password });
    const options = begun.options as Record<string, unknown>;
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(JSON.stringify(options)).not.toContain(password);
    const authenticator = new SoftwareAuthenticator(siteOf(oauth));
    const add = (credential: string, setupId: unknown = begun.setup_id) =>
      browser.call('account.passkeyAdd', { setup_id: setupId, credential, name: 'Key' });
    const wrongs = [
      ...['no JSON', '{}', 'null'],
      ...[{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerified: false }, { challenge: 'AAAA' }].map(
        (changes) => authenticator.create(options, changes),
      ),
    ];
    for (const credential of wrongs) {
      const { status, body } = await add(credential);
      expect([status, (body.error as Json).param]).toEqual([400, 'credential']);
    }
    const honest = authenticator.create(options);
    expect((await add(honest, 'unknown')).status).toBe(404);
    expect((await add(honest)).status).toBe(200);
    // The same again is one that the account has.
    expect((await add(honest)).status).toBe(409);
    clock.jump(10 * 60 * 1000);
    expect((await add(honest)).status).toBe(404);
    expect((await list(browser)).data).toHaveLength(1);
  });

  it('end when they are removed, and rest while their account is disabled', async () => {
    const clock = new TestClock(Date.now());
    await using oauth = await OauthUnderTest.start(store.database, { clock });
    const browser = await signedIn(oauth);
    const phone = await addPasskey(oauth, browser);
    clock.jump(1);
    const key = await addPasskey(oauth, browser, 'Key');
    clock.jump(1000);
    const [first] = (await list(browser)).data as Json[];
    expect((await browser.call('account.passkeyRemove', { passkey_id: 'unknown' })).status).toBe(404);
    expect((await browser.call('account.passkeyRemove', { passkey_id: first?.passkey_id })).status).toBe(200);
    expect((await use(oauth.browser(), { authenticator: phone })).status).toBe(401);
    const operator = await addInstanceKey(store.database);
    const change = (status: string) =>
      oauth.api.call('instance.updateAccount', { account_id: oauth.email, status }, { key: operator });
    expect((await change('disabled')).status).toBe(200);
    const refused = await use(oauth.browser(), { authenticator: key });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('disabled')]);
    await change('active');
    clock.jump(1000);
    expect((await use(oauth.browser(), { authenticator: key })).status).toBe(303);
  });
});
