import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { pushServerKey } from '../../src/rules/notifications/push-message.ts';
import type { Database } from '../../src/store/db/database.ts';
import { removeMember } from '../../src/store/accounts/team-membership.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { noteAddresses } from '../../src/store/instance/instance-values.ts';
import { signOut } from '../../src/store/accounts/sessions.ts';
import { createNoticeMailer, type MailPort } from '../../src/work/notifications/notice-mailer.ts';
import { NotificationWorker } from '../../src/work/notifications/notification-worker.ts';
import { createPushSender } from '../../src/work/notifications/push-sender.ts';
import { makeTeam } from '../support/accounts/team-sample.ts';
import { addSession, type TestSession } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { PushService } from '../support/notifications/push-service.ts';
import { eventually } from '../support/service/service-client.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const box = new SealedBox('a secret of the test');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pushKey = pushServerKey(privateKey);
const loopback = ['127.0.0.0/8'];

type Mail = Parameters<MailPort['send']>[0];

describeStores('notifications', (store) => {
  let push: PushService;
  beforeAll(async () => {
    push = await PushService.start();
  });
  afterAll(() => push.stop());

  const startApi = () =>
    ApiUnderTest.start(store.database, { seal: box, contacts: { notifications: { pushKey, hasMail: true, hasChats: true } } });
  const callWeb = async (api: ApiUnderTest, name: string, input: Json, { headers }: TestSession) => {
    const init = { method: 'POST', body: JSON.stringify(input), headers: { ...headers, 'content-type': 'application/json' } };
    const response = await api.fetch(`/web/${name}`, init, { key: null });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const subscribe = async (api: ApiUnderTest, path: string, owner = api.owner) => {
    const session = await addSession(store.database, owner.accountId);
    expect((await callWeb(api, 'notification.subscribe', push.subscribe(path), session)).body).toMatchObject({
      subscribed: true,
    });
    return session;
  };
  const workerOf = (database: Database, allow: readonly string[], mails: Mail[] | null) => {
    const httpClient = createSafeFetch({ allow, clock: systemClock });
    const subject = () => Promise.resolve('https://errand.example');
    const sender = createPushSender({ httpClient, box, privateKey, clock: systemClock, subject, acceptsHttp: true });
    const mail: MailPort = {
      send(one) {
        mails?.push(one);
        return Promise.resolve({ outcome: 'sent' });
      },
    };
    const mailer = mails && createNoticeMailer({ database, mail, replyAddressOf: null });
    return new NotificationWorker({
      database,
      clock: systemClock,
      log: silentLog,
      push: sender,
      mailer,
      chats: null,
      drainMs: 8000,
    });
  };
  /** Works until nothing is due any more. */
  const work = async ({ databases = [store.database], allow = loopback, mails = null as Mail[] | null } = {}) => {
    const workers = databases.map((database) => workerOf(database, allow, mails));
    await Promise.all(workers.map((worker) => worker.start()));
    await eventually('nothing is due', async () => {
      // Digests first: one that is made between the two is a notification by then.
      const digests = await store.query('SELECT account_id FROM notification_settings WHERE next_digest_at <= ?', Date.now());
      const due = await store.query('SELECT id FROM notifications WHERE ready_at <= ?', Date.now() + 70_000);
      return due.length > 0 || (mails && digests.length > 0) ? null : true;
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  };
  const begin = async (api: ApiUnderTest, title = 'Tea') => {
    const taskId = await api.createTask('x', { interactive_mode: true, title });
    return { taskId, hand: await WorkerHand.take(store.database, taskId) };
  };
  const fresh = () => push.messages.splice(0);
  const set = async (api: ApiUnderTest, input: Json) => (await api.call('notification.set', input)).body;

  it('reach every browser of the account, encrypted, and open what they are about', async () => {
    await using api = await startApi();
    await subscribe(api, '/one');
    await subscribe(api, '/two');
    const { taskId, hand } = await begin(api);
    await hand.ask('Which kind?');
    const failing = await begin(api, 'Cake');
    await failing.hand.log({ type: 'error', errorType: 'model_refused', text: 'No model.' }, { type: 'failed' });
    const done = await begin(api, 'Soup');
    await done.hand.finish('Done.');
    await work({ databases: [store.database, ...store.others] });
    const messages = fresh();
    const sorted = messages.filter(({ path }) => path === '/one').map(({ notice }) => notice);
    const { data } = (await api.call('inbox.list')).body;
    const idOf = (task: string) => String(data.find((item) => item.task_id === task)?.id);
    expect(sorted.toSorted((a, b) => a.title.localeCompare(b.title))).toEqual([
      { title: 'Cake', body: 'Failed: No model.', path: `/inbox#${idOf(failing.taskId)}`, tag: idOf(failing.taskId) },
      { title: 'Soup', body: 'Finished', path: `/app/${done.taskId}`, tag: done.taskId },
      { title: 'Tea', body: 'Question: Which kind?', path: `/inbox#${idOf(taskId)}`, tag: idOf(taskId) },
    ]);
    expect(messages).toHaveLength(6);
    expect(new Set(messages.map(({ serverKey }) => serverKey))).toEqual(new Set([pushKey]));
    const urgency = messages.map(({ notice, headers }) => [notice.title, headers.urgency, headers['content-encoding']]);
    expect(urgency).toContainEqual(['Tea', 'high', 'aes128gcm']);
    expect(urgency).toContainEqual(['Soup', 'normal', 'aes128gcm']);
    expect(await store.query('SELECT id FROM notifications')).toEqual([]);
  });

  it('are not sent to who has chosen nothing, nor of what somebody has decided meanwhile', async () => {
    await using api = await startApi();
    const unwatched = await begin(api);
    await unwatched.hand.ask('Which?');
    expect(await store.query('SELECT id FROM notifications')).toEqual([]);
    await subscribe(api, '/decided');
    const { taskId, hand } = await begin(api);
    await hand.ask('Which?');
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'Green.' } });
    await work();
    expect(fresh()).toEqual([]);
    expect(await store.query('SELECT id FROM notifications')).toEqual([]);
  });

  it('end with the session of the browser, with its subscription, and with another person in the same browser', async () => {
    await using api = await startApi();
    const gone = await subscribe(api, '/gone');
    await subscribe(api, '/kept');
    await subscribe(api, '/refused');
    push.answers.set('/refused', 410);
    const { accountId, sessionId } = gone;
    await store.database.run(signOut, { accountId, choice: { sessionId }, actor: 'operator', now: Date.now() });
    await api.call('notification.try');
    await work();
    expect(
      fresh()
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/kept', '/refused']);
    await api.call('notification.try');
    await work();
    expect(fresh().map(({ path }) => path)).toEqual(['/kept']);
    const stranger = await addOwner(store.database);
    const session = await addSession(store.database, stranger.accountId);
    const again = push.subscribe('/kept');
    expect((await callWeb(api, 'notification.subscribe', again, session)).status).toBe(200);
    await api.call('notification.try');
    await work();
    expect(fresh()).toEqual([]);
    expect(await store.query('SELECT account_id FROM push_subscriptions')).toEqual([{ account_id: stranger.accountId }]);
    push.answers.clear();
  });

  it('are tried again after a failure of the push service, and wait for the end of quiet hours', async () => {
    await using api = await startApi();
    await subscribe(api, '/busy');
    push.answers.set('/busy', 503);
    await api.call('notification.try');
    const worker = workerOf(store.database, loopback, null);
    await worker.start();
    await push.received(1);
    await worker.stop();
    fresh();
    push.answers.clear();
    expect(await store.query('UPDATE notifications SET ready_at = 0 WHERE tries = 1 RETURNING tries')).toHaveLength(1);
    await work();
    expect(fresh()).toHaveLength(1);
    const minuteNow = Math.floor((Date.now() % 86_400_000) / 60_000);
    const clock = (minute: number) => new Date(((minute + 1440) % 1440) * 60_000).toISOString().slice(11, 16);
    await set(api, { quiet_hours: `${clock(minuteNow - 60)}-${clock(minuteNow + 60)}` });
    const { hand } = await begin(api);
    await hand.ask('Which?');
    await work();
    expect(fresh()).toEqual([]);
    const [held] = await store.query('SELECT ready_at FROM notifications');
    expect(Number(held?.ready_at) - Date.now()).toBeGreaterThan(58 * 60_000);
    await set(api, { quiet_hours: '' });
    await store.query('UPDATE notifications SET ready_at = 0 RETURNING id');
    await work();
    expect(fresh()).toHaveLength(1);
  });

  it('never reach a private address, whatever a browser says of its push service', async () => {
    await using api = await startApi();
    await subscribe(api, '/private');
    await api.call('notification.try');
    await work({ allow: [] });
    expect(fresh()).toEqual([]);
    expect(await store.query('SELECT id FROM notifications')).toEqual([]);
  });

  it('go by mail where that is wanted, with a digest that is made once', async () => {
    await using api = await startApi();
    await store.database.run(noteAddresses, { baseUrl: 'https://errand.example', contentUrl: 'https://content.example' });
    const { settings } = await set(api, {
      topics: { questions: ['email'], finished: [] },
      ...{ digest: 'daily', digest_time: '08:00', time_zone: 'Europe/Berlin' },
    });
    expect(settings).toMatchObject({ digest: 'daily', topics: { questions: ['email'], failures: ['push'], finished: [] } });
    const { taskId, hand } = await begin(api);
    await hand.ask('Which kind?');
    const done = await begin(api, 'Cake');
    await done.hand.finish('Done.');
    const mails: Mail[] = [];
    await work({ mails });
    expect(mails.map(({ subject, to }) => ({ subject, to }))).toEqual([
      { subject: 'Tea: Question: Which kind?', to: expect.stringContaining('@') as string },
    ]);
    expect(mails[0]?.text).toContain(`https://errand.example/inbox#${taskId}-`);
    await store.query('UPDATE notification_settings SET next_digest_at = 1 RETURNING account_id');
    mails.splice(0);
    const databases = [store.database, ...store.others];
    await work({ mails, databases });
    expect(mails.map(({ subject }) => subject)).toEqual(['Your tasks: 1 waiting for you, 1 finished']);
    expect(mails[0]?.text).toContain(`Finished\n- Cake\n  https://errand.example/app/${done.taskId}`);
    await api.call('task.delete', { task_id: taskId });
    await store.query('UPDATE notification_settings SET next_digest_at = 1 RETURNING account_id');
    mails.splice(0);
    await work({ mails, databases });
    expect(mails).toEqual([]);
  });

  it('tell a member of the team what is assigned to them', async () => {
    await using api = await startApi();
    const mate = await addOwner(store.database);
    const now = Date.now();
    await store.database.run(createTeam, { teamId: newId(now), name: 'T', ownerId: api.owner.accountId, now, actor: 'operator' });
    await store.query(
      `INSERT INTO team_members (account_id, team_id, role, joined_at)
       SELECT ?, team_id, 'member', joined_at FROM team_members WHERE account_id = ? RETURNING account_id`,
      ...[mate.accountId, api.owner.accountId],
    );
    await subscribe(api, '/mate', mate);
    const { taskId, hand } = await begin(api);
    await hand.ask('Which?');
    await api.call('task.update', { task_id: taskId, share_visibility: 'team' });
    const [item] = (await api.call('inbox.list')).body.data;
    expect((await api.call('inbox.assign', { id: item?.id, account_id: mate.accountId })).status).toBe(200);
    await work();
    expect(fresh().map(({ notice }) => notice.body)).toEqual(['Assigned to you: Which?']);
  });

  it('tell a member of the team of mentions and of tasks that are handed over, and then of what these wait for', async () => {
    await using api = await startApi();
    const [mate, stranger] = [await addOwner(store.database), await addOwner(store.database)];
    const teamId = await makeTeam(store, api.owner, [mate]);
    await subscribe(api, '/owner');
    await subscribe(api, '/mate', mate);
    await subscribe(api, '/stranger', stranger);
    const notified = async () => {
      await work();
      return fresh().map(({ path, notice }) => [path, notice.body, notice.path]);
    };
    const emailOf = ({ accountId }: Owner) => `${accountId}@example.com`.toLowerCase();
    const { taskId, hand } = await begin(api);
    const write = async (text: string, key = api.owner.key) =>
      (await api.call('task.comment', { task_id: taskId, text }, { key })).body.comment as Json;
    // Nobody else can read it yet.
    await write(`@${emailOf(mate)} look`);
    expect(await notified()).toEqual([]);
    await api.call('task.update', { task_id: taskId, share_visibility: 'team' });
    const everyone = [mate, stranger, api.owner].map((one) => `@${emailOf(one)}`).join(' ');
    const comment = await write(`Look, ${everyone}.`);
    const page = `/app/${taskId}#comment-${String(comment.id)}`;
    const said = `${emailOf(api.owner)} · Mentioned you: Look, ${everyone}.`;
    expect(await notified()).toEqual([['/mate', said.slice(0, 300), page]]);
    const edit = (id: unknown, text: string, key: string) =>
      api.call('task.updateComment', { task_id: taskId, comment_id: id, text }, { key });
    await edit(comment.id, `Once more, @${emailOf(mate)}.`, api.owner.key);
    expect(await notified()).toEqual([]);
    const ofMate = await write('Later.', mate.key);
    await edit(ofMate.id, `Later, @${emailOf(api.owner)}.`, mate.key);
    const answer = `${emailOf(mate)} · Mentioned you: Later, @${emailOf(api.owner)}.`;
    expect(await notified()).toEqual([['/owner', answer, `/app/${taskId}#comment-${String(ofMate.id)}`]]);
    // Nobody is notified again and again by taking a mention out and putting it back.
    await edit(comment.id, `And again, @${emailOf(mate)}.`, api.owner.key);
    await edit(comment.id, 'Nobody.', api.owner.key);
    await edit(comment.id, `And again, @${emailOf(mate)}.`, api.owner.key);
    expect(await notified()).toEqual([]);
    // What is deleted before it is sent is not sent.
    const withdrawn = await write(`@${emailOf(mate)} wrong`);
    await api.call('task.deleteComment', { task_id: taskId, comment_id: withdrawn.id });
    expect(await notified()).toEqual([]);

    const handOver = () => api.call('task.handOver', { task_id: taskId, account_id: mate.accountId });
    await handOver();
    await api.call('task.handOver', { task_id: taskId, account_id: null });
    await handOver();
    await handOver();
    expect(await notified()).toEqual([['/mate', 'Assigned to you', `/app/${taskId}`]]);
    await hand.ask('Which?');
    const [asked] = (await api.call('inbox.list', {}, { key: mate.key })).body.data;
    expect(await notified()).toEqual([['/mate', 'Question: Which?', `/inbox#${String(asked?.id)}`]]);
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'This.' } }, { key: mate.key });
    const again = await WorkerHand.take(store.database, taskId);
    // Who has left is notified of nothing, not even of what was queued before.
    await write(`@${emailOf(mate)} soon`);
    const change = { teamId, actorId: api.owner.accountId, actor: 'operator', now: Date.now() };
    await store.database.run(removeMember, { ...change, accountId: mate.accountId });
    await again.finish('Done.');
    expect(await notified()).toEqual([['/owner', 'Finished', `/app/${taskId}`]]);
  });

  it.each(['has set up none', 'is disabled'])('go to the owner of a task whose assignee %s', async (how) => {
    await using api = await startApi();
    const mate = await addOwner(store.database);
    await makeTeam(store, api.owner, [mate]);
    await subscribe(api, '/owner');
    if (how === 'is disabled') await subscribe(api, '/mate', mate);
    const { taskId, hand } = await begin(api);
    await api.call('task.update', { task_id: taskId, share_visibility: 'team' });
    await api.call('task.handOver', { task_id: taskId, account_id: mate.accountId });
    await work();
    fresh();
    if (how === 'is disabled') await store.query("UPDATE accounts SET status = 'disabled' WHERE account_id = ?", mate.accountId);
    await hand.ask('Which?');
    await work();
    expect(fresh().map(({ path, notice }) => [path, notice.body])).toEqual([['/owner', 'Question: Which?']]);
  });

  it('are set in words that say what is wrong', async () => {
    await using api = await startApi();
    const problem = async (input: Json) => ((await api.call('notification.set', input)).body.error as Json | undefined)?.message;
    expect(await problem({ quiet_hours: '25:00-07:00' })).toBe('quiet_hours: takes times from 00:00 to 23:59');
    expect(await problem({ quiet_hours: '07:00-07:00' })).toContain('must begin and end at different times');
    expect(await problem({ time_zone: 'Moon/Sea' })).toContain('time_zone: must be the name of a time zone');
    await using other = await ApiUnderTest.start(store.database, {});
    const { error } = (await other.call('notification.set', { digest: 'daily' })).body;
    expect(error).toMatchObject({ param: 'digest' });
    const session = await addSession(store.database, api.owner.accountId);
    const target = push.subscribe('/wrong');
    for (const input of [
      { ...target, endpoint: 'file:///etc/passwd' },
      { ...target, endpoint: 'https://user:password@push.example/' },
      { ...target, keys: { ...target.keys, auth: 'AAAA' } },
    ])
      expect((await callWeb(api, 'notification.subscribe', input, session)).status).toBe(400);
    expect((await api.call('notification.show')).body).toMatchObject({
      ...{ browsers: 0, is_here: false, has_mail: true, push_key: pushKey },
      settings: { time_zone: 'UTC', quiet_hours: '', digest: 'none', digest_time: '08:00' },
    });
  });
});
