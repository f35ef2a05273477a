import { expect, it } from 'vitest';
import type { AccountMail } from '../../src/api/contract/services/account-mail.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import { addInstanceKey, addOwner } from '../support/http/api-under-test.ts';
import type { Visit, WebBrowser } from '../support/http/scriptless-browser.ts';
import { OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';

type Mail = Parameters<AccountMail['send']>[0];

/** A mail server whose mails are awaited one by one. */
class Mailbox implements AccountMail {
  readonly #mails: Mail[] = [];
  readonly #readers: ((mail: Mail) => void)[] = [];
  count = 0;

  send(mail: Mail) {
    this.count++;
    const reader = this.#readers.shift();
    if (reader) reader(mail);
    else this.#mails.push(mail);
    return Promise.resolve({ outcome: 'sent' as const });
  }

  next(): Promise<Mail> {
    const mail = this.#mails.shift();
    return mail ? Promise.resolve(mail) : new Promise((resolve) => this.#readers.push(resolve));
  }
}

const newPassword = 'another horse battery';

async function start(store: OpenStore) {
  const mail = new Mailbox();
  const oauth = await OauthUnderTest.start(store.database, { signIn: { mail } });
  const request = async (email: string, browser = oauth.browser()) =>
    browser.submit(await browser.open('/sign-in/forgot'), '/sign-in/forgot', { email });
  return { mail, oauth, request, [Symbol.asyncDispose]: () => oauth[Symbol.asyncDispose]() };
}

const linkIn = ({ text }: Mail): string => /\/sign-in\/password\?token=\w+/.exec(text)?.[0] ?? '';

async function choose(browser: WebBrowser, link: string, chosen = newPassword): Promise<Visit> {
  const page = await browser.open(link);
  return browser.submit(page, '/sign-in/password', { password: chosen, again: chosen });
}

async function signInStatus(oauth: OauthUnderTest, chosen: string): Promise<number> {
  const browser = oauth.browser();
  return (await browser.submit(await browser.open('/sign-in'), '/sign-in', { email: oauth.email, password: chosen })).status;
}

describeStores('a forgotten password', (store) => {
  it('is replaced by a link from the mailbox, which works once and signs out every browser', async () => {
    await using world = await start(store);
    const { mail, oauth, request } = world;
    const signedIn = oauth.browser();
    await signedIn.signIn(oauth.email, password);
    expect((await signedIn.open('/sign-in/forgot')).text).toContain('action="/sign-in/forgot"');
    expect((await request(` ${oauth.email.toUpperCase()} `)).status).toBe(200);
    const letter = await mail.next();
    expect(letter).toMatchObject({ to: oauth.email, subject: 'Set a new password for Errand' });
    const link = linkIn(letter);
    const browser = oauth.browser();
    // What looks at links before people do uses up nothing.
    for (let round = 0; round < 3; round++) expect((await oauth.browser().send(link)).status).toBe(200);
    const page = await browser.open(link);
    const differ = await browser.submit(page, '/sign-in/password', { password: newPassword, again: 'another' });
    expect([differ.status, differ.text.includes('don’t match')]).toEqual([400, true]);
    expect((await choose(browser, link, 'short')).status).toBe(400);
    const done = await choose(browser, link);
    expect([done.status, done.headers.getSetCookie().join()]).toEqual([200, expect.not.stringContaining('errand_session')]);
    expect((await signedIn.send('/device')).location).toMatch(/^\/sign-in/);
    expect([await signInStatus(oauth, password), await signInStatus(oauth, newPassword)]).toEqual([401, 303]);
    expect((await oauth.browser().send(link)).status).toBe(404);
    const record = JSON.stringify(await store.query('SELECT * FROM security_events'));
    expect(record).not.toContain(link.slice(-43));
  });

  it('is answered the same for an address without an account, which gets no mail', async () => {
    await using world = await start(store);
    const { mail, oauth, request } = world;
    const other = await addOwner(store.database);
    const plain = ({ status, text }: Visit) => [status, text];
    const unknown = await request('nobody@example.com');
    // An account that signs in at a provider has no password to forget.
    const passwordless = await request(`${other.accountId.toLowerCase()}@example.com`);
    const known = await request(oauth.email);
    expect([plain(unknown), plain(passwordless)]).toEqual([plain(known), plain(known)]);
    await mail.next();
    expect(mail.count).toBe(1);
  });

  it('is mailed a few times in half an hour, and strangers who ask spoil no link', async () => {
    await using world = await start(store);
    const { mail, oauth, request } = world;
    await request(oauth.email);
    const link = linkIn(await mail.next());
    const statuses: number[] = [];
    for (let round = 0; round < 21; round++) statuses.push((await request(oauth.email)).status);
    expect(statuses.slice(0, 19)).toEqual(Array(19).fill(200));
    expect(statuses.slice(19)).toEqual([429, 429]);
    expect((await choose(oauth.browser(), link)).status).toBe(200);
    expect(mail.count).toBeLessThanOrEqual(5);
  });

  it('cannot be replaced by forged links and forms, nor where passwords are off', async () => {
    await using world = await start(store);
    const { mail, oauth, request } = world;
    await request(oauth.email);
    const link = linkIn(await mail.next());
    const token = link.split('=')[1] ?? '';
    const other = await addOwner(store.database);
    const forged = [`${other.accountId}${token.slice(22)}`, token.slice(1), `${token}%00`, '', "'", `${token}&token=x`];
    for (const wrong of forged) {
      expect((await oauth.browser().send(`/sign-in/password?token=${wrong}`)).status, wrong).toBeGreaterThanOrEqual(400);
    }
    const fields = { token, password: newPassword, again: newPassword };
    expect((await oauth.browser().post('/sign-in/password', fields)).status).toBe(403);
    expect((await oauth.browser().post('/sign-in/forgot', { email: oauth.email })).status).toBe(403);
    expect(await signInStatus(oauth, password)).toBe(303);
    await using off = await OauthUnderTest.start(store.database, { signIn: { mail, acceptsPasswords: false } });
    for (const path of ['/sign-in/forgot', link]) expect((await off.browser().send(path)).status).toBe(403);
    await using silent = await OauthUnderTest.start(store.database);
    const without = await silent.browser().send('/sign-in/forgot');
    expect([without.status, without.text.includes('<h1>Reset your password</h1>')]).toEqual([412, true]);
    expect((await silent.browser().open('/sign-in')).text).not.toContain('/sign-in/forgot');
  });
});

describeStores('a password link of an owner of the instance', (store) => {
  it('works without mail, also for an account that never had a password', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const key = await addInstanceKey(store.database);
    const { body: made } = await oauth.api.call('instance.createAccount', { email: 'bob@example.org' }, { key });
    const { id } = made.account as { id: string };
    const { status, body } = await oauth.api.call('instance.createPasswordLink', { account_id: 'bob@example.org' }, { key });
    expect(status).toBe(200);
    const url = new URL(String(body.url));
    expect(Number(body.expires_at) - Date.now() / 1000).toBeGreaterThan(29 * 60);
    expect((await choose(oauth.browser(), url.pathname + url.search)).status).toBe(200);
    const browser = oauth.browser();
    const signIn = { email: 'bob@example.org', password: newPassword };
    expect((await browser.submit(await browser.open('/sign-in'), '/sign-in', signIn)).status).toBe(303);
    const records = await store.query("SELECT account_id FROM security_events WHERE kind = 'password_link_created'");
    expect(new Set(records.map(({ account_id }) => account_id))).toEqual(new Set([id, 'instance']));
    const unknown = await oauth.api.call('instance.createPasswordLink', { account_id: 'nobody@example.org' }, { key });
    expect(unknown.status).toBe(404);
    await oauth.api.call('instance.updateAccount', { account_id: id, status: 'disabled' }, { key });
    expect((await oauth.api.call('instance.createPasswordLink', { account_id: id }, { key })).status).toBe(412);
  });
});
