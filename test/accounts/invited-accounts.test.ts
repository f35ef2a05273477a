import { expect, it } from 'vitest';
import { createInvitedAccount, findNewcomer } from '../../src/store/accounts/invited/invited-accounts.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { newId } from '@errand/base/ids.ts';
import { makeInstanceOwner } from '../support/accounts/web-session.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import type { ApiOptions } from '../support/http/api-under-test.ts';
import { OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';

const email = 'bob@example.org';
const chosen = { password: 'a long password of bob', again: 'a long password of bob' };

/** A team whose owner invites Bob; the link that its owner sends him. */
async function start(store: OpenStore, isInstanceOwner: boolean, options: ApiOptions = {}) {
  await store.query('DELETE FROM accounts WHERE email = ?', email);
  const oauth = await OauthUnderTest.start(store.database, options);
  if (isInstanceOwner) await makeInstanceOwner(store, oauth.api.owner.accountId);
  const owner = oauth.browser();
  await owner.signIn(oauth.email, password);
  await owner.call('team.create', { name: 'Research <1>' });
  const invite = async () => (await owner.call('team.invite', { email: 'Bob@Example.org', role: 'admin' })).body;
  return { oauth, owner, invite, [Symbol.asyncDispose]: () => oauth[Symbol.asyncDispose]() };
}

const linkOf = (token: unknown): string => `/sign-in?next=${encodeURIComponent(`/team/accept?token=${String(token)}`)}`;

describeStores('an invitation of somebody without an account', (store) => {
  it('makes the account and the membership at once, from the link of the web application, and signs in', async () => {
    await using world = await start(store, true);
    const { oauth, owner, invite } = world;
    const { token, makes_account } = await invite();
    expect(makes_account).toBe(true);
    const browser = oauth.browser();
    const page = await browser.open(linkOf(token));
    expect([page.status, page.text.includes(email), page.text.includes('Research &lt;1&gt;')]).toEqual([200, true, true]);
    const differ = await browser.submit(page, '/sign-in/join', { ...chosen, again: 'another' });
    expect([differ.status, differ.text.includes('don’t match')]).toEqual([400, true]);
    expect((await browser.submit(page, '/sign-in/join', { password: 'short', again: 'short' })).status).toBe(400);
    // The address is the invited one, whatever the form says.
    const done = await browser.submit(page, '/sign-in/join', { ...chosen, email: 'boss@example.org' });
    expect([done.status, done.location]).toEqual([303, '/']);
    expect((await browser.send('/device')).status).toBe(200);
    const members = JSON.parse((await owner.send('/web/team.members', { headers: { 'x-errand-web': '1' } })).text) as {
      data: { email: string; role: string; has_two_step: boolean }[];
    };
    expect(members.data.at(-1)).toMatchObject({ email, role: 'admin', has_two_step: false });
    expect((await oauth.browser().signIn(email, chosen.password)).text).toContain('user_code');
    const kinds = await store.query("SELECT kind FROM security_events WHERE actor = 'invitation'");
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['account_created', 'team_joined']));
    // It is used up, and leads to the sign-in page.
    expect((await oauth.browser().send(`/sign-in/join?token=${String(token)}`)).status).toBe(404);
    expect((await oauth.browser().open(linkOf(token))).text).toContain('action="/sign-in"');
  });

  it('works once, whoever uses it at the same time, and not after it was withdrawn, has expired, or its address has an account', async () => {
    await using world = await start(store, true);
    const { oauth, owner, invite } = world;
    const join = (token: unknown, now = Date.now(), database = store.database) =>
      database.run(createInvitedAccount, {
        digest: digestSecret(String(token)),
        newAccountId: newId(now),
        hash: 'h',
        locale: 'en',
        now,
      });
    const first = (await invite()).token;
    const find = (digest: string, now = Date.now()) => store.database.run(findNewcomer, { digest, now });
    expect(await find(digestSecret(String(first)))).toMatchObject({ email, role: 'admin', team: 'Research <1>' });
    expect([await find(digestSecret(String(first)), Date.now() + 8 * 24 * 3_600_000), await find('x')]).toEqual([null, null]);
    expect(await join(first, Date.now() + 8 * 24 * 3_600_000)).toBe(false);
    await owner.call('team.withdraw', { email });
    expect(await join(first)).toBe(false);
    const second = (await invite()).token;
    const all = [store.database, ...store.others];
    const outcomes = await Promise.all(all.map((database, index) => join(second, Date.now() + index, database)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const [{ account_id: joined } = {}] = await store.query('SELECT account_id FROM accounts WHERE email = ?', email);
    await owner.call('team.remove', { member: joined });
    const third = (await invite()).token;
    expect([await join(third), (await oauth.browser().send(`/sign-in/join?token=${String(third)}`)).status]).toEqual([
      false,
      404,
    ]);
    expect((await oauth.browser().open(linkOf(third))).text).toContain('action="/sign-in"');
  });

  it('makes none for the invitations of others, unless the operator lets them, nor where passwords are off or forms are forged', async () => {
    await using world = await start(store, false);
    const { oauth, invite } = world;
    const { token, makes_account } = await invite();
    expect(makes_account).toBe(false);
    expect((await oauth.browser().open(linkOf(token))).text).toContain('action="/sign-in"');
    expect((await oauth.browser().send(`/sign-in/join?token=${String(token)}`)).status).toBe(404);
    await using open = await start(store, false, { contacts: { hasTeamSignUp: true } });
    const made = await open.invite();
    expect(made.makes_account).toBe(true);
    const path = `/sign-in/join?token=${String(made.token)}`;
    const browser = open.oauth.browser();
    expect((await browser.send(path)).status).toBe(200);
    expect((await browser.post('/sign-in/join', { ...chosen, token: String(made.token) })).status).toBe(403);
    for (const wrong of ['', 'x', "'", `${String(made.token)}x`, '%00']) {
      expect((await browser.send(`/sign-in/join?token=${wrong}`)).status, wrong).toBeGreaterThanOrEqual(400);
    }
    await using off = await OauthUnderTest.start(store.database, { signIn: { acceptsPasswords: false } });
    expect((await off.browser().send(path)).status).toBe(404);
  });
});
