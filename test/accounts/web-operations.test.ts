import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { webOperations } from '../../src/api/index.ts';
import { createQuickPasswords } from '../support/accounts/quick-passwords.ts';
import { setPassword } from '../../src/store/accounts/account-passwords.ts';
import { findAccount } from '../../src/store/accounts/accounts.ts';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { readForm, WebBrowser } from '../support/http/scriptless-browser.ts';
import { addSession, type TestSession } from '../support/accounts/web-session.ts';
import { addOwner, type Answer, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { OauthUnderTest, password, redirectUri } from '../support/oauth/oauth-under-test.ts';
import { indexTasks } from '../support/search/index-tasks.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const methods = new Map(webOperations.map(({ name, method }) => [name, method]));

/** Asks as a page of ours does. */
async function ask(api: ApiUnderTest, session: TestSession | null, name: string, input: Json = {}, more: Json = {}) {
  const headers = { ...session?.headers, ...more } as Record<string, string>;
  const isRead = methods.get(name) === 'GET';
  const query = isRead ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : '';
  const init = isRead ? {} : { method: 'POST', body: JSON.stringify(input), headers: { 'content-type': 'application/json' } };
  const response = await api.fetch(`/web/${name}${query}`, init, { key: null, headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

const list = (answer: Answer) => answer.body.data;

describeStores('a page of ours', (store) => {
  it("calls the API and its own operations with the user's session; a cookie alone proves nothing", async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const call = (headers: Record<string, string>, key: string | null = null) => api.call('task.list', {}, { key, headers });
    const { cookie } = session.headers;
    expect((await call(session.headers)).status).toBe(200);
    expect((await call({ cookie })).body.error).toMatchObject({ code: 'unauthenticated', message: 'missing authentication' });
    expect((await call({ ...session.headers, 'x-errand-web': '1, 1' })).status).toBe(401);
    expect((await call({ ...session.headers, cookie: `${cookie}; ${cookie}` })).status).toBe(401);
    expect((await call({ ...session.headers, cookie: `${cookie}x` })).status).toBe(401);
    expect((await ask(api, session, 'key.list')).status).toBe(200);
    expect((await ask(api, null, 'key.list')).status).toBe(401);
    expect((await ask(api, null, 'session.show', {}, { 'x-service-api-key': api.owner.key })).status).toBe(403);
    for (const site of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }, { origin: 'https://evil.example' }]) {
      expect((await call({ ...session.headers, ...site })).body.error).toMatchObject({ code: 'permission_denied' });
      expect((await ask(api, session, 'share.detail', { share_id: 'x' }, site)).status).toBe(403);
    }
    expect((await call({ ...session.headers, 'sec-fetch-site': 'same-origin', origin: api.http.url() })).status).toBe(200);
    // Browsers send cookies unasked: a key beside one is what counts, whosever the cookie is.
    const stranger = await addOwner(store.database);
    const { body } = await api.call(
      'task.create',
      { message: { content: 'x' } },
      { key: stranger.key, headers: session.headers },
    );
    expect((await api.call('task.detail', { task_id: body.task_id })).status).toBe(404);
    expect((await call({ ...session.headers, authorization: 'Bearer wrong' })).status).toBe(401);
    for (const path of ['/v1/tasks', '/mcp']) {
      expect((await api.fetch(path, {}, { key: null, headers: session.headers })).status).toBeGreaterThanOrEqual(401);
    }
  });

  it('shows the content of a skill to those who may use it: its text, its text files, and the names of others', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const stranger = await addSession(store.database, (await addOwner(store.database)).accountId);
    const { id: project_id } = (await api.call('project.create', { name: 'P' })).body.project as Json;
    const parts = {
      'SKILL.md': '---\nname: s\ndescription: Does it.\n---\nDo it.',
      'a/b.txt': 'ä',
      bytes: '\0',
      long: 'x'.repeat(65_537),
    };
    const zip = zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
    const file_data = `data:application/zip;base64,${Buffer.from(zip).toString('base64')}`;
    const { id: skill_id } = (await api.call('skill.create', { file_data, project_id })).body.skill as Json;
    const shown = await ask(api, session, 'skill.show', { skill_id, project_id });
    expect(shown.body).toMatchObject({ name: 's', description: 'Does it.' });
    expect(String(shown.body.body)).toContain('Do it.');
    expect(shown.body.files).toEqual([
      { path: 'a/b.txt', size_bytes: 2, text: 'ä' },
      { path: 'bytes', size_bytes: 1, text: null },
      { path: 'long', size_bytes: 65_537, text: null },
    ]);
    const statuses = [
      await ask(api, session, 'skill.show', { skill_id }),
      await ask(api, session, 'skill.show', { skill_id, project_id: '\0' }),
      await ask(api, stranger, 'skill.show', { skill_id, project_id }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404]);
    const [official] = (await api.call('skill.list')).body.data;
    expect((await ask(api, stranger, 'skill.show', { skill_id: official?.id })).status).toBe(200);
  });

  it('finds tasks by words and status, without those hidden from the list', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const create = async (content: string, more: Json = {}) =>
      (await api.call('task.create', { message: { content }, ...more })).body.task_id;
    const [first, second] = [await create('Compare 50% of prices', { title: 'Märkte' }), await create('say x')];
    await create('not in the list', { hide_in_task_list: true });
    await indexTasks(store.database);
    const find = async (input: Json) => {
      const answer = await ask(api, session, 'task.search', input);
      expect(answer.status).toBe(200);
      return list(answer).map(({ id }) => id);
    };
    expect(await find({})).toEqual([second, first]);
    expect(await find({ text: 'MÄRKTE' })).toEqual([first]);
    expect(await find({ text: ' prices 50% märkte' })).toEqual([first]);
    expect(await find({ text: '5_%' })).toEqual([]);
    expect(await find({ status: 'error' })).toEqual([]);
    expect(await find({ status: 'running', project_id: 'none' })).toEqual([]);
    expect(await find({ api_key_id: 'none' })).toEqual([]);
    for (const name of ['text', 'agent_id', 'api_key_id', 'oauth_client_id']) expect(await find({ [name]: 'a\0b' })).toEqual([]);
    const page = await ask(api, session, 'task.search', { limit: '1' });
    expect(page.body).toMatchObject({ has_more: true, data: [{ id: second }] });
    expect(await find({ limit: '1', cursor: page.body.next_cursor })).toEqual([first]);
    expect((await ask(api, session, 'task.search', { text: 'x', cursor: page.body.next_cursor })).status).toBe(400);
    const stranger = await addSession(store.database, (await addOwner(store.database)).accountId);
    expect((await ask(api, stranger, 'task.search')).body.data).toEqual([]);
  });

  it('creates tasks without naming a credential, and follows them until its user is signed out', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const as = { key: null, headers: { ...session.headers, 'idempotency-key': 'once' } };
    const [first, again] = [
      await api.call('task.create', { message: { content: 'x' } }, as),
      await api.call('task.create', { message: { content: 'x' } }, as),
    ];
    expect(again.body.task_id).toBe(first.body.task_id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const [task] = (await api.call('task.list')).body.data;
    expect(task).toMatchObject({ id: first.body.task_id, created_by_api_key: null });
    const path = `/v2/task.stream?task_id=${String(first.body.task_id)}`;
    const stream = await api.fetch(path, {}, { key: null, headers: session.headers });
    const reading = stream.text();
    const out = await ask(api, session, 'session.delete');
    expect(out.body).toMatchObject({ ended: 1 });
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^errand_session=; .*Max-Age=0$/)]);
    expect(await reading).toContain('user_message');
    expect((await api.fetch(path, {}, { key: null, headers: session.headers })).status).toBe(401);
  });

  it('is identified by its name and last use', async () => {
    const clock = new TestClock(Date.now());
    await using api = await ApiUnderTest.start(store.database, { clock });
    const { accountId } = api.owner;
    await store.database.run(setPassword, {
      accountId,
      hash: await createQuickPasswords().hash('a password', 'operator'),
      now: 1,
      actor: 'operator',
    });
    const { email } = (await store.database.run(findAccount, accountId)) ?? { email: '' };
    const browser = new WebBrowser(api.http.url());
    const page = await browser.open('/sign-in');
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 <script>';
    const form = { ...readForm(page.text, '/sign-in'), email, password: 'a password' };
    expect((await browser.post('/sign-in', form, { 'user-agent': agent })).status).toBe(303);
    const unknown = await addSession(store.database, accountId, clock.now());
    const show = async () => {
      const { text } = await browser.send('/web/session.list', { headers: { 'x-errand-web': '1' } });
      const { data } = JSON.parse(text) as { data: Json[] };
      return data.map(({ browser: name, last_used_at: usedAt, is_current: isCurrent }) => [name, usedAt, isCurrent]);
    };
    const order = (rows: unknown[][]) => rows.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
    expect(order(await show())).toEqual([
      ['Firefox on Linux', null, true],
      [null, null, false],
    ]);
    await clock.advance(15 * 60_000);
    const usedAt = Math.floor(clock.now() / 1000);
    await expect
      .poll(async () => order(await show()))
      .toEqual([
        ['Firefox on Linux', usedAt, true],
        [null, null, false],
      ]);
    expect((await ask(api, unknown, 'audit.list')).body.data).toContainEqual(
      expect.objectContaining({ kind: 'signed_in', detail: { from: '127.0.0.1', browser: 'Firefox on Linux' } }),
    );
  });

  it('is signed out within a second in every process, by a sign-out elsewhere, by a new password, and on expiry', async () => {
    const clock = new TestClock(Date.now());
    await using here = await ApiUnderTest.start(store.database, { clock });
    await using there = await ApiUnderTest.start(store.others[0] ?? store.database, { clock, owner: here.owner });
    const { accountId } = here.owner;
    await store.database.run(setPassword, {
      accountId,
      hash: await createQuickPasswords().hash('the old one', 'operator'),
      now: 1,
      actor: 'operator',
    });
    const sessions = [
      await addSession(store.database, accountId, clock.now()),
      await addSession(store.database, accountId, clock.now()),
      await addSession(store.database, accountId, clock.now()),
    ];
    const [mine, other, third] = sessions as [TestSession, TestSession, TestSession];
    const statuses = async () => {
      await clock.advance(600);
      const asked = sessions.flatMap((session) => [here, there].map((api) => ask(api, session, 'session.show')));
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
    const shown = list(await ask(there, mine, 'session.list'));
    expect(shown.map(({ id, is_current: isCurrent }) => `${String(id)} ${String(isCurrent)}`).toSorted()).toEqual(
      sessions.map(({ sessionId }) => `${sessionId} ${sessionId === mine.sessionId}`).toSorted(),
    );
    const away = await ask(here, mine, 'session.delete', { session_id: other.sessionId });
    // Whoever ends another browser stays signed in at this one.
    expect([away.body.ended, away.headers.getSetCookie()]).toEqual([1, []]);
    expect((await ask(here, mine, 'session.delete', { session_id: other.sessionId })).status).toBe(404);
    expect(await statuses()).toEqual([200, 200, 401, 401, 200, 200]);
    const change = (input: Json) => ask(here, mine, 'account.update', input);
    expect((await change({ password: 'a new one', current_password: 'wrong' })).body.error).toMatchObject({
      message: 'current_password: is wrong',
    });
    expect((await change({ password: 'a new one', current_password: 'the old one' })).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 401, 401, 401, 401]);
    expect((await change({ locale: 'zh-cn' })).body).toMatchObject({ account: { locale: 'zh-CN' } });
    expect((await ask(there, mine, 'session.show')).body).toMatchObject({
      account: { id: accountId, locale: 'zh-CN' },
      team: null,
    });
    const kinds = list(await ask(here, mine, 'audit.list')).map(({ kind, actor }) => `${String(kind)} ${String(actor)}`);
    expect(kinds.slice(0, 2).toSorted()).toEqual([
      `password_set session:${mine.sessionId}`,
      `signed_out session:${mine.sessionId}`,
    ]);
    await clock.advance(3_600_000);
    expect(await statuses()).toEqual([401, 401, 401, 401, 401, 401]);
    expect(third.accountId).toBe(accountId);
  });

  it('limits guessing the password in an unattended browser', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const answers: number[] = [];
    for (let round = 0; round < 11; round++) {
      answers.push((await ask(api, session, 'account.update', { password: 'a new one', current_password: `${round}` })).status);
    }
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });

  it('manages keys, applications and the team of its user, and no other account or team', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const guest = await addOwner(store.database);
    const [owner, member] = [
      await addSession(store.database, api.owner.accountId),
      await addSession(store.database, guest.accountId),
    ];
    const made = await ask(api, owner, 'key.create', { name: 'CI' });
    expect((await api.call('task.list', {}, { key: String(made.body.api_key) })).status).toBe(200);
    const [key] = list(await ask(api, owner, 'key.list')).slice(-1);
    expect((await ask(api, member, 'key.revoke', { key_id: key?.id })).status).toBe(404);
    expect((await ask(api, owner, 'key.revoke', { key_id: key?.id })).status).toBe(200);
    const app = { name: 'Reports', redirect_uris: ['https://a.example/cb'] };
    expect((await ask(api, owner, 'app.create', { ...app, trusted: 'team' })).status).toBe(403);
    expect((await ask(api, owner, 'team.members')).status).toBe(404);
    const { team } = (await ask(api, owner, 'team.create', { name: 'Research', owner: guest.accountId })).body as unknown as {
      team: Json;
    };
    expect((await ask(api, owner, 'session.show')).body.team).toMatchObject({ id: team.id, role: 'owner' });
    expect((await ask(api, member, 'team.members', { team: String(team.id) })).status).toBe(404);
    const email = `${guest.accountId}@example.com`.toLowerCase();
    const { token } = (await ask(api, owner, 'team.invite', { email, role: 'member' })).body as unknown as { token: string };
    expect(list(await ask(api, owner, 'team.invitations'))).toMatchObject([{ email, role: 'member' }]);
    expect((await ask(api, owner, 'team.invitation', { token })).status).toBe(404);
    expect((await ask(api, member, 'team.invitation', { token })).body).toMatchObject({
      team: { name: 'Research' },
      role: 'member',
    });
    expect((await ask(api, owner, 'team.accept', { token })).status).toBe(404);
    expect((await ask(api, member, 'team.accept', { token })).body).toMatchObject({ account_id: guest.accountId });
    for (const [name, input] of [
      ['team.invite', { email: 'x@example.com' }],
      ['team.invitations', {}],
      ['team.withdraw', { email }],
      ['team.setRole', { member: guest.accountId, role: 'admin' }],
      ['team.remove', { member: api.owner.accountId }],
      ['app.create', { ...app, trusted: 'team' }],
    ] as const) {
      expect([name, (await ask(api, member, name, input)).status]).toEqual([name, 403]);
    }
    await ask(api, owner, 'team.invite', { email: 'later@example.com' });
    expect((await ask(api, owner, 'team.withdraw', { email: 'later@example.com' })).status).toBe(200);
    expect(list(await ask(api, owner, 'team.invitations'))).toEqual([]);
    const trusted = await ask(api, owner, 'app.create', { ...app, trusted: 'team' });
    expect(trusted.body.app).toMatchObject({ type: 'trusted_team' });
    expect((await ask(api, owner, 'app.create', { ...app, trusted: 'public' })).status).toBe(403);
    expect((await ask(api, member, 'app.show', { client_id: String(trusted.body.client_id) })).status).toBe(404);
    expect((await ask(api, owner, 'team.setRole', { member: guest.accountId, role: 'admin' })).status).toBe(200);
    expect((await ask(api, owner, 'team.remove', { member: '\0' })).status).toBe(404);
    expect((await ask(api, owner, 'team.remove', { member: guest.accountId })).status).toBe(200);
    expect((await ask(api, member, 'session.show')).body.team).toBeNull();
  });
});

describeStores('what people allow in the application', (store) => {
  it('ends with it: secrets of an app, its connection, and the tokens of a former member', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    await using guest = await OauthUnderTest.start(store.database);
    const [mine, theirs] = [oauth.browser(), guest.browser()];
    await mine.signIn(oauth.email, password);
    await theirs.signIn(guest.email, password);
    const made = (await mine.call('app.create', { name: 'Mine', redirect_uris: [redirectUri] })).body;
    const key = { client_id: made.client_id as string };
    const tryToken = async (secret: unknown) =>
      (await oauth.token({ grant_type: 'refresh_token', refresh_token: 'x', ...key, client_secret: String(secret) })).body.error;
    const more = (await mine.call('app.addSecret', key)).body as { client_secret: string; secret: { id: string } };
    expect([await tryToken(made.client_secret), await tryToken(more.client_secret)]).toEqual(['invalid_grant', 'invalid_grant']);
    expect((await theirs.call('app.revokeSecret', { ...key, secret_id: more.secret.id })).status).toBe(404);
    await mine.call('app.revokeSecret', { ...key, secret_id: more.secret.id });
    expect([await tryToken(made.client_secret), await tryToken(more.client_secret)]).toEqual(['invalid_grant', 'invalid_client']);
    expect((await mine.call('app.create', { name: 'x', redirect_uris: ['javascript:x'] })).body.error).toMatchObject({
      message: expect.stringContaining('must not use the scheme') as string,
    });

    const app = await oauth.addApp({ name: 'Calendar' });
    const { access_token: own } = await oauth.connect(app);
    await mine.call('team.create', { name: 'Blue' });
    const { token } = (await mine.call('team.invite', { email: guest.email })).body as { token: string };
    await theirs.call('team.accept', { token });
    const { access_token: mates } = await guest.connect(app);
    expect([await oauth.isLive(own), await guest.isLive(mates)]).toEqual([true, true]);
    await theirs.call('team.remove', { member: guest.api.owner.accountId });
    expect([await oauth.isLive(own), await guest.isLive(mates)]).toEqual([true, false]);
    expect((await theirs.call('connection.disconnect', { client_id: oauth.api.owner.accountId })).status).toBe(404);
    expect((await mine.call('connection.disconnect', { client_id: app.clientId })).status).toBe(200);
    expect(await oauth.isLive(own)).toBe(false);
  });
});

describeStores('a shared task', (store) => {
  it('is visible to anyone with the link: messages, but no tools, no owner, and nothing once it is private', async () => {
    await using here = await ApiUnderTest.start(store.database);
    await using there = await ApiUnderTest.start(store.others[0] ?? store.database, { owner: here.owner });
    const session = await addSession(store.database, here.owner.accountId);
    const stranger = await addSession(store.database, (await addOwner(store.database)).accountId);
    const { body } = await here.call('task.create', { message: { content: 'hello' }, share_visibility: 'public', title: 'A' });
    const taskId = String(body.task_id);
    const share = { share_id: String(body.share_url).split('/').at(-1) ?? '' };
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.step(1);
    await hand.finish('finished');
    const reported: string[] = [];
    for (const reader of [null, stranger, session]) {
      const detail = await ask(there, reader, 'share.detail', share);
      const messages = await ask(there, reader, 'share.listMessages', { ...share, order: 'asc' });
      expect([detail.status, messages.status]).toEqual([200, 200]);
      expect(messages.body.messages.map(({ type }) => type)).toContain('assistant_message');
      reported.push(JSON.stringify([detail.body, messages.body]));
    }
    const stream = await there.fetch(`/web/share.stream?share_id=${share.share_id}`, {}, { key: null });
    const reading = stream.text();
    await here.call('task.update', { task_id: taskId, share_visibility: 'private' });
    reported.push(await reading);
    expect(reported[3]).toContain('finished');
    for (const text of reported) {
      for (const hidden of [
        'tool_used',
        'explanation',
        taskId,
        here.owner.accountId,
        here.owner.keyId,
        'test key',
        '@example.com',
      ]) {
        expect(text).not.toContain(hidden);
      }
    }
    const again = await here.call('task.update', { task_id: taskId, share_visibility: 'public' });
    expect(again.body.share_url).not.toBe(body.share_url);
    for (const api of [here, there]) {
      const comparable = async (id: string) => {
        const refused = await ask(api, null, 'share.detail', { share_id: id });
        return { status: refused.status, error: refused.body.error };
      };
      const unknown = await comparable('AAAAAAAAAAAAAAAAAAAAAA');
      for (const id of [share.share_id, taskId, '../../admin', '%00']) expect(await comparable(id)).toEqual(unknown);
      for (const name of ['share.detail', 'share.listMessages']) expect((await ask(api, null, name, share)).status).toBe(404);
      expect((await api.fetch(`/web/share.stream?share_id=${share.share_id}`, {}, { key: null })).status).toBe(404);
    }
  });

  it('is followed by twenty visitors from one address at once, and by the next when one leaves', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { body } = await api.call('task.create', { message: { content: 'hello' }, share_visibility: 'public' });
    const follow = async () => {
      const leave = new AbortController();
      const path = `/web/share.stream?share_id=${String(body.share_url).split('/').at(-1)}`;
      const { status } = await api.fetch(path, { signal: leave.signal }, { key: null });
      return { status, leave: () => leave.abort() };
    };
    const readers = await Promise.all(Array.from({ length: 20 }, follow));
    expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await follow()).status).toBe(429);
    readers[0]?.leave();
    await expect.poll(async () => (await follow()).status).toBe(200);
    for (const reader of readers) reader.leave();
  });

  it('with a team asks visitors to sign in, and does not exist for other accounts', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [owner, stranger] = [
      await addSession(store.database, api.owner.accountId),
      await addSession(store.database, (await addOwner(store.database)).accountId),
    ];
    await ask(api, owner, 'team.create', { name: 'Research' });
    const { body } = await api.call('task.create', { message: { content: 'hello' }, share_visibility: 'team' });
    const share = { share_id: String(body.share_url).split('/').at(-1) ?? '' };
    const statuses = await Promise.all([null, stranger, owner].map((reader) => ask(api, reader, 'share.detail', share)));
    expect(statuses.map(({ status }) => status)).toEqual([401, 404, 200]);
    expect((await ask(api, null, 'share.detail', { share_id: 'AAAAAAAAAAAAAAAAAAAAAA' })).status).toBe(404);
  });
});
