import { expect, it } from 'vitest';
import { addInstanceKey, type Json } from '../support/http/api-under-test.ts';
import type { Visit, WebBrowser } from '../support/http/scriptless-browser.ts';
import { codeOfSecret, turnTwoStepOn } from '../support/accounts/two-step.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { newVerifier, OauthUnderTest, password, redirectUri } from '../support/oauth/oauth-under-test.ts';

const periodMs = 30_000;

function enter(browser: WebBrowser, page: Visit, code: string): Promise<Visit> {
  return browser.submit(page, '/sign-in/code', { code });
}

/** The page after the right password. */
async function givePassword(oauth: OauthUnderTest, browser = oauth.browser(), next = '/device'): Promise<Visit> {
  return browser.signIn(oauth.email, password, next);
}

describeStores('two-step sign-in', (store) => {
  it('is turned on with a code of the app, shows recovery codes once, and then asks every sign-in', async () => {
    const clock = new TestClock(Date.now());
    await using oauth = await OauthUnderTest.start(store.database, { clock });
    const browser = oauth.browser();
    await givePassword(oauth, browser);
    const stateNow = async () => (await browser.send('/web/account.twoStepDetail', { headers: { 'x-errand-web': '1' } })).text;
    expect(JSON.parse(await stateNow())).toMatchObject({
      two_step: { is_on: false, recovery_codes_left: 0, has_password: true },
    });
    expect((await browser.call('account.twoStepBegin', { password: 'wrong' })).status).toBe(400);
    const { body: begun } = await browser.call('account.twoStepBegin', { password });
    const { setup_id, secret, uri } = begun as Record<string, string>;
    expect(new URL(uri ?? '').searchParams.get('secret')).toBe(secret);
    const wrong = await browser.call('account.twoStepConfirm', { setup_id, code: '000000' });
    expect([wrong.status, (wrong.body.error as Json).param]).toEqual([400, 'code']);
    const code = codeOfSecret(secret ?? '', clock.now());
    const { status, body } = await browser.call('account.twoStepConfirm', { setup_id, code });
    expect([status, (body.recovery_codes as string[]).length]).toEqual([200, 10]);
    expect(JSON.parse(await stateNow())).toMatchObject({ two_step: { is_on: true, recovery_codes_left: 10 } });
    // The browser stays signed in; a new one is asked, and the code of the setup counts no more.
    expect((await browser.send('/device')).status).toBe(200);
    const second = oauth.browser();
    const page = await givePassword(oauth, second, '/device?user_code=x');
    expect([page.status, page.text.includes('one-time-code')]).toEqual([200, true]);
    expect([...second.cookies.keys()]).not.toContain('errand_session');
    expect((await enter(second, page, code)).status).toBe(401);
    clock.jump(periodMs);
    const done = await enter(second, page, codeOfSecret(secret ?? '', clock.now()));
    expect([done.status, done.location]).toEqual([303, '/device?user_code=x']);
    expect((await second.send('/device')).status).toBe(200);
    const kinds = (await store.query("SELECT kind FROM security_events WHERE kind LIKE '%step%'")).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['two_step_on', 'two_step_asked']));
    const stored = JSON.stringify(
      await Promise.all(
        ['authenticators', 'recovery_codes', 'security_events'].map((table) => store.query(`SELECT * FROM ${table}`)),
      ),
    );
    for (const shown of [secret ?? '', ...(body.recovery_codes as string[])]) expect(stored).not.toContain(shown);
  });

  it('accepts a code of the app once, from one of two browsers at the same time, and each recovery code once', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { codeAt, recoveryCodes } = await turnTwoStepOn(store.database, oauth.api.owner.accountId);
    const browsers = [oauth.browser(), oauth.browser(), oauth.browser()];
    const pages = await Promise.all(browsers.map((browser) => givePassword(oauth, browser)));
    const code = codeAt(Date.now());
    const at = (index: number, given: string) => enter(browsers[index] ?? oauth.browser(), pages[index] as Visit, given);
    const race = await Promise.all([at(0, code), at(1, code), at(2, code)]);
    expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401]);
    const left = [0, 1, 2].filter((index) => race[index]?.status === 401);
    const recovery = await Promise.all(left.map((index) => at(index, recoveryCodes[3]?.toUpperCase() ?? '')));
    expect(recovery.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401]);
    expect(await store.query("SELECT 1 AS used FROM security_events WHERE kind = 'recovery_code_used'")).toHaveLength(1);
  });

  it('stands before applications and devices as well, and outlives a new password', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { codeAt } = await turnTwoStepOn(store.database, oauth.api.owner.accountId);
    const app = await oauth.addApp();
    const path = oauth.authorizePath(app, newVerifier().challenge);
    const browser = oauth.browser();
    const asked = await givePassword(oauth, browser, path);
    expect(asked.text).toContain('action="/sign-in/code"');
    // Half a sign-in opens nothing, neither pages nor operations nor the consent.
    for (const half of ['/device', path, '/settings', '/sign-in/link']) {
      expect((await browser.send(half)).location, half).toMatch(/^\/sign-in/);
    }
    expect((await browser.call('account.update', { locale: 'de' })).status).toBe(401);
    expect((await browser.post('/oauth/authorize', { decision: 'allow', request: path.split('?')[1] ?? '' })).location).toBe(
      '/sign-in',
    );
    const done = await enter(browser, asked, codeAt(Date.now()));
    expect(done.location).toBe(path);
    const consent = await browser.open(done.location);
    const { location } = await browser.submit(consent, '/oauth/authorize', { decision: 'allow' });
    expect(location).toContain(`${redirectUri}?`);
    const key = await addInstanceKey(store.database);
    const { body } = await oauth.api.call('instance.createPasswordLink', { account_id: oauth.email }, { key });
    const link = new URL(String(body.url));
    const resetting = oauth.browser();
    const form = await resetting.open(link.pathname + link.search);
    const fresh = 'another horse battery';
    await resetting.submit(form, '/sign-in/password', { password: fresh, again: fresh });
    const after = await oauth.browser().signIn(oauth.email, fresh);
    expect(after.text).toContain('action="/sign-in/code"');
    // Keys are not affected.
    expect((await oauth.api.call('task.list')).status).toBe(200);
  });

  it('bounds guesses of who knows the password, never those of strangers, and leaves recovery codes to the owner', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { recoveryCodes, codeAt } = await turnTwoStepOn(store.database, oauth.api.owner.accountId);
    const stranger = oauth.browser();
    const forged = `${oauth.api.owner.accountId}${'A'.repeat(43)}`;
    for (let round = 0; round < 15; round++) {
      stranger.cookies.set('errand_step', forged);
      expect((await stranger.send('/sign-in/code')).location).toMatch(/^\/sign-in/);
      const page = await stranger.open('/sign-in');
      const form = { form_token: /form_token" value="([^"]+)/.exec(page.text)?.[1] ?? '' };
      expect((await stranger.post('/sign-in/code', { ...form, code: '123456' })).status).toBe(401);
    }
    const thief = oauth.browser();
    const page = await givePassword(oauth, thief);
    const right = codeAt(Date.now());
    const guesses: number[] = [];
    for (let round = 0; round < 12; round++) {
      const guess = String((Number(right) + 1 + round * 7) % 1_000_000).padStart(6, '0');
      guesses.push((await enter(thief, page, guess)).status);
    }
    expect(guesses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(guesses.slice(10)).toEqual([429, 429]);
    expect((await enter(thief, page, right)).status).toBe(429);
    const owner = oauth.browser();
    const own = await givePassword(oauth, owner);
    expect((await enter(owner, own, recoveryCodes[0] ?? '')).status).toBe(303);
    const failed = await store.query("SELECT detail FROM security_events WHERE kind = 'sign_in_failed'");
    expect(failed.length).toBe(10);
    expect(String(failed[0]?.detail)).toContain('"by":"code"');
  });

  it('takes the password again for each change, belongs to its account, and refuses forms of other sites', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    await givePassword(oauth, browser);
    const { body: begun } = await browser.call('account.twoStepBegin', { password });
    await using other = await OauthUnderTest.start(store.database);
    const foreign = other.browser();
    await givePassword(other, foreign);
    const code = codeOfSecret(String(begun.secret), Date.now());
    expect((await foreign.call('account.twoStepConfirm', { setup_id: begun.setup_id, code })).status).toBe(404);
    expect((await browser.call('account.twoStepConfirm', { setup_id: begun.setup_id, code })).status).toBe(200);
    expect((await browser.call('account.twoStepConfirm', { setup_id: begun.setup_id, code })).status).toBe(404);
    expect((await browser.call('account.twoStepBegin', { password })).status).toBe(412);
    for (const name of ['account.twoStepCodes', 'account.twoStepOff']) {
      expect((await browser.call(name, {})).status).toBe(400);
      expect((await browser.call(name, { password: 'wrong' })).body.error).toMatchObject({ param: 'password' });
    }
    const { body } = await browser.call('account.twoStepCodes', { password });
    const waiting = oauth.browser();
    const page = await givePassword(oauth, waiting);
    const [first = ''] = body.recovery_codes as string[];
    expect((await waiting.post('/sign-in/code', { code: first })).status).toBe(403);
    const evil = { origin: 'https://evil.example' };
    const token = /form_token" value="([^"]+)/.exec(page.text)?.[1] ?? '';
    expect((await waiting.post('/sign-in/code', { code: first, form_token: token }, evil)).status).toBe(403);
    expect((await browser.call('account.twoStepOff', { password })).body).toMatchObject({ is_on: false });
    // What waited for a second step is void, and the password is enough.
    expect((await enter(waiting, page, first)).status).toBe(401);
    expect((await givePassword(oauth)).text).toContain('user_code');
  });

  it('is seen by those who manage, and turned off by an owner of the instance, who tells the user by mail', async () => {
    const mails: { to: string; subject: string; text: string }[] = [];
    const mail = {
      send: (one: { to: string; subject: string; text: string; id: string }) =>
        Promise.resolve({ outcome: 'sent' as const, at: mails.push(one) }),
    };
    await using oauth = await OauthUnderTest.start(store.database, { signIn: { mail } });
    const { accountId } = oauth.api.owner;
    await turnTwoStepOn(store.database, accountId);
    const key = await addInstanceKey(store.database);
    const detail = async () =>
      (await oauth.api.call('instance.accountDetail', { account_id: oauth.email }, { key })).body.account as Json;
    expect(await detail()).toMatchObject({ has_two_step: true });
    const { body } = await oauth.api.call('instance.listAccounts', { query: accountId }, { key });
    expect(body.data).toMatchObject([{ id: accountId, has_two_step: true }]);
    const off = () => oauth.api.call('instance.removeTwoStep', { account_id: oauth.email }, { key });
    expect((await off()).body).toMatchObject({ account_id: accountId, is_mailed: true });
    expect(mails).toMatchObject([{ to: oauth.email, subject: 'Two-step sign-in was turned off' }]);
    expect([(await off()).status, (await detail()).has_two_step]).toEqual([412, false]);
    const events = await store.query("SELECT account_id FROM security_events WHERE kind = 'two_step_off'");
    expect(events.map(({ account_id }) => account_id)).toEqual(expect.arrayContaining([accountId, 'instance']));
    expect((await givePassword(oauth)).text).toContain('user_code');
  });
});
