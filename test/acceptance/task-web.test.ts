import { expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { Passwords } from '../../src/base/passwords.ts';
import { setPassword } from '../../src/store/account-passwords.ts';
import { findAccount } from '../../src/store/accounts.ts';
import { createTeam } from '../../src/store/teams.ts';
import { describeStores } from '../support/databases.ts';
import { type Visit, WebBrowser } from '../support/web-browser.ts';
import { addOwner, ApiUnderTest, type Json } from './api-under-test.ts';
import { OauthUnderTest, password } from './oauth-under-test.ts';
import { WorkerHand } from './worker-hand.ts';

const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&';

/** A page without what differs from request to request. */
function comparable({ status, text, headers }: Visit): unknown {
  return [status, text, headers.get('content-security-policy'), headers.get('set-cookie')];
}

describeStores('the page of a shared task', (store) => {
  async function share(oauth: OauthUnderTest, visibility: string, content = hostile): Promise<{ taskId: string; path: string }> {
    const { body } = await oauth.api.call('task.create', { message: { content }, share_visibility: visibility, title: hostile });
    return { taskId: String(body.task_id), path: new URL(String(body.share_url)).pathname };
  }

  async function addSignedIn(oauth: OauthUnderTest): Promise<{ accountId: string; browser: WebBrowser }> {
    const { accountId } = await addOwner(store.database);
    const hash = await new Passwords().hash(password);
    await store.database.run(setPassword, { accountId, hash, now: Date.now(), actor: 'operator' });
    const account = await store.database.run(findAccount, accountId);
    const browser = oauth.browser();
    await browser.signIn(account?.email ?? '', password);
    return { accountId, browser };
  }

  const update = (api: ApiUnderTest, input: Json) => api.call('task.update', input);

  it('shows to everybody what was said, as text, and nothing of tools or of whose it is', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { taskId, path } = await share(oauth, 'public');
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.step(1);
    await hand.finish(`${hostile} finished`);
    const page = await oauth.browser().send(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('message 1');
    expect(page.text).toContain('finished');
    for (const hidden of [
      'explanation 1',
      '>run',
      'Ran',
      oauth.email,
      oauth.api.owner.accountId,
      oauth.api.owner.keyId,
      'test key',
      taskId,
    ]) {
      expect(page.text).not.toContain(hidden);
    }
    expect(page.text).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
    expect(page.headers.get('set-cookie')).toBeNull();
  });

  it('is gone at once, in every process, when the task is private again, and has a new address when it is shared again', async () => {
    await using here = await OauthUnderTest.start(store.database);
    await using there = await ApiUnderTest.start(store.others[0] ?? store.database, { owner: here.api.owner });
    const { taskId, path } = await share(here, 'public');
    const browsers = [here.browser(), new WebBrowser(there.http.url())];
    for (const browser of browsers) expect((await browser.send(path)).status).toBe(200);
    await update(here.api, { task_id: taskId, share_visibility: 'private' });
    const again = String((await update(here.api, { task_id: taskId, share_visibility: 'public' })).body.share_url);
    const newPath = new URL(again).pathname;
    expect(newPath).not.toBe(path);
    for (const browser of browsers) {
      const [gone, unknown, wrong] = [
        await browser.send(path),
        await browser.send(`/share/${newId(Date.now())}`),
        await browser.send('/share/..%2f..%2fadmin'),
      ];
      expect(gone.status).toBe(404);
      expect(comparable(gone)).toEqual(comparable(unknown));
      expect(comparable(wrong)).toEqual(comparable(unknown));
      expect((await browser.send(newPath)).status).toBe(200);
    }
    expect((await here.browser().send(`/share/${taskId}`)).status).toBe(404);
    await here.api.call('task.delete', { task_id: taskId });
    for (const browser of browsers) expect((await browser.send(newPath)).status).toBe(404);
  });

  it('asks people to sign in for a team, and shows it to the team alone', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { path, taskId } = await share(oauth, 'team');
    const [mate, stranger] = [await addSignedIn(oauth), await addSignedIn(oauth)];
    const [now, teamId] = [Date.now(), newId(Date.now())];
    await store.database.run(createTeam, { teamId, name: 'T', ownerId: oauth.api.owner.accountId, now, actor: 'operator' });
    await store.query(
      "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', ?)",
      mate.accountId,
      teamId,
      now,
    );
    const asked = await oauth.browser().send(path);
    expect([asked.status, asked.location]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
    expect((await oauth.browser().signIn(oauth.email, password, path)).status).toBe(200);
    for (const place of [path, `/app/${taskId}`]) {
      expect((await mate.browser.send(place)).status).toBe(200);
      const refused = await stranger.browser.send(place);
      const unknown = await stranger.browser.send(place.replace(/[^/]+$/, newId(now)));
      expect(refused.status).toBe(404);
      expect(comparable(refused)).toEqual(comparable(unknown));
    }
  });

  it('is read on, page by page', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { taskId, path } = await share(oauth, 'public', 'begin');
    const hand = await WorkerHand.take(store.database, taskId);
    for (let step = 1; step <= 210; step++) await hand.step(step);
    const first = await oauth.browser().send(path);
    const next = /<a rel="next" href="([^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await oauth.browser().send(path + next);
    expect([first.text, second.text].map((text) => text.match(/message \d+/g)?.length)).toEqual([198, 12]);
    expect(second.text).not.toContain('rel="next"');
  });

  it('has beside it the owner’s own, with the tools and the address that was shared', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { taskId, path } = await share(oauth, 'public');
    await (await WorkerHand.take(store.database, taskId)).step(1);
    const asked = await oauth.browser().send(`/app/${taskId}`);
    expect([asked.status, asked.location]).toEqual([303, `/sign-in?next=${encodeURIComponent(`/app/${taskId}`)}`]);
    const page = await oauth.browser().signIn(oauth.email, password, `/app/${taskId}`);
    expect(page.status).toBe(200);
    for (const shown of ['explanation 1', 'Ran', 'message 1', path, 'Sign out']) expect(page.text).toContain(shown);
    expect(page.text).not.toMatch(/<script|<img/);
  });
});

describeStores('the first page', (store) => {
  it('lists the tasks of whoever is signed in as text, and asks others to sign in', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    expect((await oauth.browser().send('/')).location).toBe('/sign-in?next=%2F');
    const browser = oauth.browser();
    await browser.signIn(oauth.email, password);
    expect((await browser.send('/')).text).toContain('There are no tasks yet');
    const { body } = await oauth.api.call('task.create', { message: { content: 'x' }, title: hostile });
    await oauth.api.call('task.create', { message: { content: 'hidden one' }, hide_in_task_list: true });
    await oauth.api.call('task.create', { message: { content: 'foreign one' } }, { key: (await addOwner(store.database)).key });
    const page = await browser.send('/');
    expect(page.status).toBe(200);
    expect(page.text).toContain(`href="/app/${String(body.task_id)}"`);
    expect(page.text).not.toMatch(/<script|<img|hidden one|foreign one/);
  });
});
