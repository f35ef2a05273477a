import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { createLog } from '@errand/base/log.ts';
import { OwnRateLimiter } from '../../src/http/service/http-service.ts';
import { defaultRates } from '../../src/rules/instance/rate-window.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, type Answer, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { RawSocket } from '../support/http/raw-socket.ts';

interface Shown extends Json {
  id: string;
  url: string;
  verification: Json;
}

describeStores('a trigger', (store) => {
  let api: ApiUnderTest;
  const clock = new TestClock(Date.UTC(2027, 0, 1));
  const create = async (input: Json = {}): Promise<Shown> => {
    const plain = { name: 'Orders', message_template: 'New order: {{/order/name}}', verification: { type: 'none' } };
    const { status, body } = await api.call('trigger.create', { ...plain, ...input });
    expect(body.error).toBeUndefined();
    expect(status).toBe(200);
    return body.trigger as Shown;
  };
  const send = async (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    // Ids sort by their milliseconds.
    await clock.advance(1);
    const target = new URL(new URL(url).pathname, api.http.url());
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = await fetch(target, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } });
    return { status: sent.status, headers: sent.headers, body: (await sent.json()) as Answer['body'] };
  };
  const countTasks = async () => (await api.call('task.list')).body.data.length;
  const eventsOf = async ({ id }: Shown) => (await api.call('trigger.events', { trigger_id: id })).body.data;
  const messageOf = async (taskId: unknown) => {
    const { body } = await api.call('task.listMessages', { task_id: String(taskId), order: 'asc' });
    return body.messages.filter(({ type }) => type === 'user_message').map((message) => (message.user_message as Json).content);
  };

  beforeEach(async () => {
    api = await ApiUnderTest.start(store.database, { clock });
  });
  afterEach(() => api.stop());

  it('starts a task whose message has what was sent in its places', async () => {
    const trigger = await create();
    const { status, body } = await send(trigger.url, { order: { name: 'Tea' } });
    expect(status).toBe(202);
    expect(Object.keys(body)).toEqual(['ok', 'request_id', 'task_id']);
    expect(await messageOf(body.task_id)).toEqual(['New order: Tea']);
    expect(await eventsOf(trigger)).toEqual([
      expect.objectContaining({ outcome: 'started', cause: 'delivery', task_id: body.task_id, notes: [], is_replayable: true }),
    ]);
  });

  it('gives its tasks the settings that its owner chose, and says that a stranger wrote to them', async () => {
    const project = (await api.call('project.create', { name: 'Shop', instruction: 'Be kind.' })).body.project as Json;
    const trigger = await create({
      ...{ project_id: project.id, agent_profile: 'service-1.6-lite', metadata: { shop: 7 }, interactive_mode: true },
      message_template: 'Look at shop.test: {{body}}',
    });
    expect(trigger).toMatchObject({ project_id: project.id, agent_profile: 'service-1.6-lite', metadata: { shop: '7' } });
    const { body } = await send(trigger.url, { link: 'https://evil.test' });
    const { task } = (await api.call('task.detail', { task_id: String(body.task_id) })).body;
    expect(task).toMatchObject({ task_type: 'project', agent_profile: 'service-1.6-lite', metadata: { shop: '7' } });
    const [row] = await store.query(`SELECT body FROM events WHERE task_id = ? AND type = 'user_message'`, String(body.task_id));
    const message = JSON.parse(String(row?.body)) as Json;
    expect(message.inherited).toMatchObject({ isUntrusted: true, isPrivate: false, hosts: ['shop.test'] });
    expect(message.quoted).toEqual([[19, 47]]);
  });

  it('has an empty text and a note where a pointer finds nothing, and refuses a message of nothing', async () => {
    const trigger = await create();
    const { status, body } = await send(trigger.url, { order: {} });
    expect([status, await messageOf(body.task_id)]).toEqual([202, ['New order: ']]);
    expect((await eventsOf(trigger))[0]?.notes).toEqual([expect.stringContaining('/order/name is not in the payload')]);
    const bare = await create({ message_template: '{{/order/name}}' });
    expect((await send(bare.url, {})).status).toBe(412);
    expect(await eventsOf(bare)).toEqual([
      expect.objectContaining({ outcome: 'failed', error: expect.stringContaining('body') as string }),
    ]);
  });

  it('starts one task for an id that is sent twice, at once or later, and a task for each other id', async () => {
    const trigger = await create({ dedupe: '/id' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(trigger.url, { id: 'evt_1', order: { name: 'Tea' } })),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    for (const { status } of answers) expect([200, 202]).toContain(status);
    expect(new Set(answers.map(({ body }) => body.task_id)).size).toBe(1);
    for (const { status, body } of answers) expect(body.duplicate).toBe(status === 200 ? true : undefined);
    expect((await send(trigger.url, { id: 'evt_2', order: { name: 'Tea' } })).status).toBe(202);
    expect((await send(trigger.url, { order: { name: 'Tea' } })).status).toBe(202);
    expect((await send(trigger.url, { order: { name: 'Tea' } })).status).toBe(202);
    expect(await countTasks()).toBe(4);
  });

  it('starts nothing for what its filter does not want, and remembers no id of it', async () => {
    const trigger = await create({ filter: [{ pointer: '/action', equals: 'opened' }], dedupe: 'x-id' });
    const refused = await send(trigger.url, { action: 'closed' }, { 'x-id': '1' });
    expect([refused.status, refused.body.filtered]).toEqual([200, true]);
    expect((await send(trigger.url, { action: 'opened' }, { 'x-id': '1' })).status).toBe(202);
    expect((await eventsOf(trigger)).map(({ outcome }) => outcome)).toEqual(['started', 'filtered']);
    expect(await countTasks()).toBe(1);
  });

  it('keeps to one conversation if its owner wants that, until its task is deleted or waits for an answer', async () => {
    const trigger = await create({ conversation: 'same' });
    const sendOne = async (name: string) => (await send(trigger.url, { order: { name } })).body.task_id;
    const first = await sendOne('Tea');
    expect(await sendOne('Milk')).toBe(first);
    expect(await messageOf(first)).toEqual(['New order: Tea', 'New order: Milk']);
    expect(((await api.call('trigger.detail', { trigger_id: trigger.id })).body.trigger as Json).task_id).toBe(first);
    await store.query(`UPDATE tasks SET status = 'waiting' WHERE id = ? RETURNING id`, String(first));
    const second = await sendOne('Jam');
    expect(second).not.toBe(first);
    await api.call('task.delete', { task_id: String(second) });
    expect([first, second]).not.toContain(await sendOne('Bread'));
  });

  it('answers 401 to a wrong, a missing, and a stale signature, and makes nothing', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const trigger = await create({ verification: { type: 'standard_webhooks', secret } });
    const text = '{"order":{"name":"Tea"}}';
    const sign = (id: string, atMs: number) => ({
      ...{ 'webhook-id': id, 'webhook-timestamp': String(Math.floor(atMs / 1000)) },
      'webhook-signature': new StandardWebhook(secret).sign(id, new Date(atMs), text),
    });
    const stale = sign('msg_1', clock.now() - 301_000);
    const wrong = { ...sign('msg_1', clock.now()), 'webhook-id': 'msg_2' };
    for (const headers of [{}, stale, wrong]) {
      const { status, body } = await send(trigger.url, text, headers);
      expect([status, body.error.code]).toEqual([401, 'unauthenticated']);
    }
    expect(await countTasks()).toBe(0);
    const good = sign('msg_1', clock.now());
    expect((await send(trigger.url, text, good)).status).toBe(202);
    expect((await send(trigger.url, text, good)).body).toMatchObject({ ok: true, duplicate: true });
    expect((await eventsOf(trigger)).map(({ outcome, body }) => [outcome, body !== undefined])).toEqual([
      ['duplicate', true],
      ['started', true],
      ...Array.from({ length: 3 }, () => ['refused', false]),
    ]);
    expect(JSON.stringify(await eventsOf(trigger))).not.toMatch(/whsec|v1,/);
  });

  it.each([
    ['secret', { 'x-trigger-secret': 's3cret' }],
    ['hmac_sha256', { 'x-signature': createHmac('sha256', 's3cret').update('{}').digest('base64') }],
    ['github', { 'x-hub-signature-256': `sha256=${createHmac('sha256', 's3cret').update('{}').digest('hex')}` }],
  ])('proves a %s sender', async (type, headers) => {
    const trigger = await create({ message_template: 'Go', verification: { type, secret: 's3cret' } });
    expect(trigger.verification.secret).toBeUndefined();
    expect((await send(trigger.url, '{}')).status).toBe(401);
    expect((await send(trigger.url, '{}', headers)).status).toBe(202);
  });

  it('starts nothing for the ping of GitHub', async () => {
    const trigger = await create({ message_template: 'Go', verification: { type: 'github', secret: 's' } });
    const signature = `sha256=${createHmac('sha256', 's').update('{}').digest('hex')}`;
    const { status, body } = await send(trigger.url, '{}', { 'x-hub-signature-256': signature, 'x-github-event': 'ping' });
    expect([status, body.filtered]).toEqual([200, true]);
  });

  it('answers 413 to a body over 1 MB and 400 to what is no JSON though it says so', async () => {
    const trigger = await create({ message_template: 'Go' });
    expect((await send(trigger.url, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await send(trigger.url, '{')).body.error).toMatchObject({ code: 'invalid_argument', param: 'body' });
    expect(await countTasks()).toBe(0);
    expect((await eventsOf(trigger)).map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect((await send(trigger.url, 'x'.repeat(1024 * 1024), { 'content-type': 'text/plain' })).status).toBe(202);
  });

  it('is not there while its account is disabled', async () => {
    const { url } = await create({ message_template: 'Go' });
    await store.query(`UPDATE accounts SET status = 'disabled' WHERE account_id = ? RETURNING status`, api.owner.accountId);
    expect((await send(url, {})).status).toBe(404);
  });

  it('starts nothing once the application that made it no longer has access, and tells only its owner why', async () => {
    const trigger = await create({ message_template: 'Go' });
    await store.query(`UPDATE triggers SET oauth_client_id = 'gone' WHERE id = ? RETURNING id`, trigger.id);
    const { status, body } = await send(trigger.url, {});
    expect([status, body.error.message]).toEqual([412, expect.stringMatching(/^The task was not started/)]);
    expect(await countTasks()).toBe(0);
    const error = expect.stringMatching(/^The application that made it no longer has access/) as string;
    expect(await eventsOf(trigger)).toEqual([expect.objectContaining({ outcome: 'failed', error })]);
  });

  it('is in the security record of its account from its creation to its deletion', async () => {
    await clock.advance(1);
    const { id } = await create();
    await clock.advance(1);
    expect((await api.call('trigger.delete', { trigger_id: id })).status).toBe(200);
    const entry = { actor: `api_key:${api.owner.keyId}`, detail: { trigger_id: id, name: 'Orders' } };
    const { body } = await api.http.inject({ method: 'GET', path: '/admin/audit.list', account: api.owner.accountId });
    expect((body.data as Json[]).slice(0, 2)).toMatchObject([
      { kind: 'trigger_deleted', ...entry },
      { kind: 'trigger_created', ...entry },
    ]);
  });

  it('answers an unknown URL as any path where nothing is', async () => {
    const [unknown, nowhere] = await Promise.all([send('http://x/t/AAAA', {}), send('http://x/nowhere', {})]);
    expect([unknown.status, unknown.body.error]).toEqual([nowhere.status, nowhere.body.error]);
    expect(unknown.status).toBe(404);
  });

  it('keeps the end of its URL out of the log, wherever that is sent', async () => {
    await api.stop();
    const lines = new PassThrough();
    api = await ApiUnderTest.start(store.database, { clock, owner: api.owner, log: createLog('info', lines) });
    const { url } = await create({ message_template: 'Go' });
    const { pathname } = new URL(url);
    await send(url, {});
    for (const path of [pathname, `${pathname}/more`, pathname.replace('t', '%74')]) await api.fetch(path);
    await api.stop();
    const text = String(lines.read());
    expect(text).toContain('/t/:token');
    expect(text).not.toContain(pathname.slice(3));
  });

  it('is sent only so much in a minute, and counts among the tasks of its account', async () => {
    await api.stop();
    const limiter = new OwnRateLimiter(clock, { ...defaultRates, trigger: 3, create: 4 });
    api = await ApiUnderTest.start(store.database, { clock, limiter, owner: api.owner });
    const [one, other] = [await create({ message_template: 'Go' }), await create({ message_template: 'Go' })];
    for (let count = 0; count < 3; count++) expect((await send(one.url, {})).status).toBe(202);
    const refused = await send(one.url, {});
    expect([refused.status, refused.body.error.code]).toEqual([429, 'resource_exhausted']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(other.url, {})).status).toBe(202);
    expect((await send(other.url, {})).status).toBe(429);
    expect((await eventsOf(other))[0]).toMatchObject({ outcome: 'failed' });
  });

  it('records who replaced the secret, its check, or the URL, and never the secret', async () => {
    const trigger = await create({ verification: { type: 'github' } });
    const update = async (change: Json) =>
      (await api.call('trigger.update', { trigger_id: trigger.id, ...change })).body.trigger as Shown;
    await update({ name: 'Else', verification: { type: 'github' } });
    const { secret } = (await update({ rotate_secret: true })).verification;
    const { url } = await update({ rotate_url: true });
    await update({ verification: { type: 'none' } });
    const record = await store.query(
      "SELECT actor, detail FROM security_events WHERE account_id = ? AND kind = 'trigger_changed' ORDER BY detail",
      api.owner.accountId,
    );
    const about = { trigger_id: trigger.id, name: 'Else' };
    expect(record.map(({ actor, detail }) => [actor, JSON.parse(String(detail)) as Json])).toEqual(
      ['secret', 'url', 'verification, secret'].map((replaced) => [`api_key:${api.owner.keyId}`, { ...about, replaced }]),
    );
    expect(JSON.stringify(record)).not.toContain(String(secret));
    expect(JSON.stringify(record)).not.toContain(url.slice(-43));
  });

  it('generates a secret and shows it once, and changes only what an update names', async () => {
    const trigger = await create({ verification: { type: 'github' }, dedupe: '/id', metadata: { a: '1' } });
    const secret = String(trigger.verification.secret);
    expect(secret).toMatch(/^\w{43}$/);
    const detail = async () => (await api.call('trigger.detail', { trigger_id: trigger.id })).body.trigger as Shown;
    const { secret: _, ...shown } = trigger.verification;
    expect(await detail()).toEqual({ ...trigger, verification: shown });
    const update = async (change: Json) =>
      (await api.call('trigger.update', { trigger_id: trigger.id, ...change })).body.trigger as Shown;
    expect(await update({ name: 'Else' })).toEqual({ ...(await detail()), name: 'Else', url: trigger.url, dedupe: '/id' });
    expect((await update({ rotate_secret: true })).verification.secret).not.toBe(secret);
    expect((await update({ verification: { type: 'github' } })).verification.secret).toBeUndefined();
    expect((await update({ verification: { type: 'stripe' }, dedupe: null })).dedupe).toBe('/id');
    const { url } = await update({ rotate_url: true, verification: { type: 'none' } });
    expect((await send(trigger.url, { order: { name: 'x' } })).status).toBe(404);
    expect((await send(url, { order: { name: 'x' } })).status).toBe(202);
    expect(
      await store.query(
        'SELECT id FROM triggers WHERE token LIKE ? OR token_digest LIKE ?',
        `%${url.slice(-43)}%`,
        `%${url.slice(-43)}%`,
      ),
    ).toEqual([]);
  });

  it('refuses what it is sent while it is paused, but can be tried', async () => {
    const trigger = await create({ message_template: 'Go {{/a}}' });
    await api.call('trigger.update', { trigger_id: trigger.id, status: 'paused' });
    expect((await send(trigger.url, { a: 1 })).status).toBe(412);
    const tried = (await api.call('trigger.try', { trigger_id: trigger.id, body: { a: 2 } })).body;
    expect(await messageOf(tried.task_id)).toEqual(['Go 2']);
  });

  it('keeps its last hundred deliveries and starts one of them again, with the template of now', async () => {
    const trigger = await create({ dedupe: '/id' });
    for (let count = 1; count <= 103; count++) await send(trigger.url, { id: count, order: { name: `Nr. ${count}` } });
    const newest = await eventsOf(trigger);
    expect(newest[0]?.body).toContain('Nr. 103');
    const all = (await api.call('trigger.events', { trigger_id: trigger.id, limit: '100' })).body;
    expect([all.data.length, all.has_more, String(all.data.at(-1)?.body).includes('Nr. 4"')]).toEqual([100, false, true]);
    await api.call('trigger.update', { trigger_id: trigger.id, message_template: 'Again: {{/order/name}}' });
    // Its event is newer than that of the last delivery.
    await clock.advance(1);
    const { body } = await api.call('trigger.replay', { event_id: String(all.data[1]?.id) });
    expect(await messageOf(body.task_id)).toEqual(['Again: Nr. 102']);
    expect((await eventsOf(trigger))[0]).toMatchObject({ cause: 'replay', outcome: 'started', task_id: body.task_id });
  });

  it('checks two large deliveries of an account at once, while those of others and small ones pass', async () => {
    await api.stop();
    const [goOn, bothWait] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    class HoldingLimiter extends OwnRateLimiter {
      override take(...[ownerId, rateClass]: Parameters<OwnRateLimiter['take']>) {
        const verdict = super.take(ownerId, rateClass);
        if (rateClass !== 'create' || begun === 2) return verdict;
        begun += 1;
        if (begun === 2) bothWait.resolve();
        return goOn.promise.then(() => verdict) as never;
      }
    }
    const limiter = new HoldingLimiter(clock, defaultRates);
    api = await ApiUnderTest.start(store.database, { clock, limiter, owner: api.owner });
    const [mine, { key }] = [await create(), await addOwner(store.database)];
    const plain = { name: 'Theirs', message_template: 'Go', verification: { type: 'none' } };
    const theirs = (await api.call('trigger.create', plain, { key })).body.trigger as Shown;
    const long = { order: { name: 'Tea' }, text: 'y'.repeat(1_000_000) };
    const held = [send(mine.url, long), send(mine.url, long)];
    await bothWait.promise;
    const idle = clock.timerCount;
    const third = send(mine.url, long);
    // Only the one that waits has a timer.
    await expect.poll(() => clock.timerCount).toBe(idle + 1);
    expect((await send(theirs.url, long)).status).toBe(202);
    expect((await send(mine.url, { order: { name: 'Tea' } })).status).toBe(202);
    await clock.advance(5_000);
    const refused = await third;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    goOn.resolve();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([202, 202]);
    expect((await send(mine.url, long)).status).toBe(202);
  });

  it('checks large forgeries two at a time and slowly, while small deliveries and those of others pass', async () => {
    const [mine, { key }] = [await create({ verification: { type: 'secret', secret: 'x' } }), await addOwner(store.database)];
    const plain = { name: 'Theirs', message_template: 'Go', verification: { type: 'none' } };
    const theirs = (await api.call('trigger.create', plain, { key })).body.trigger as Shown;
    const long = { order: { name: 'Tea' }, text: 'y'.repeat(1_000_000) };
    const idle = clock.timerCount;
    const forged = await Promise.all([send(mine.url, long), send(mine.url, long)]);
    expect(forged.map(({ status }) => status)).toEqual([401, 401]);
    const third = send(mine.url, long);
    // Two places that are still taken, and one delivery that waits.
    await expect.poll(() => clock.timerCount).toBe(idle + 3);
    expect((await send(theirs.url, long)).status).toBe(202);
    expect((await send(mine.url, {})).status).toBe(401);
    await clock.advance(100);
    expect((await third).status).toBe(401);
    await clock.advance(100);
    expect(clock.timerCount).toBe(idle);
  });

  it('is kept from no large delivery by others that are still on their way', async () => {
    const mine = await create();
    const head = `POST ${new URL(mine.url).pathname} HTTP/1.1\r\nhost: x\r\n`;
    const ways = [
      'content-length: 1000000',
      'content-length: 1000000',
      'transfer-encoding: chunked',
      'transfer-encoding: chunked',
    ];
    const silent = [];
    for (const way of ways) {
      const socket = await RawSocket.open(api.port);
      socket.write(`${head}expect: 100-continue\r\n${way}\r\n\r\n`);
      // Its head has been read.
      await once(socket.socket, 'data');
      silent.push(socket);
    }
    const long = { order: { name: 'Tea' }, text: 'y'.repeat(1_000_000) };
    expect((await send(mine.url, long)).status).toBe(202);
    for (const socket of silent) socket.end();
  });

  it('cannot replay what it has refused', async () => {
    const trigger = await create({ verification: { type: 'secret', secret: 'x' } });
    await send(trigger.url, {});
    const [event] = await eventsOf(trigger);
    const { status, body } = await api.call('trigger.replay', { event_id: String(event?.id) });
    expect([status, body.error.code]).toEqual([412, 'failed_precondition']);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ message_template: ' ' }, 'message_template'],
    [{ message_template: 'x {{title}}' }, 'message_template'],
    [{ message_template: 'x'.repeat(100_001) }, 'message_template'],
    [{ verification: undefined }, 'verification'],
    [{ verification: { type: 'sha1' } }, 'verification.type'],
    [{ verification: { type: 'none', secret: 'x' } }, 'verification.secret'],
    [{ verification: { type: 'github', secret: '' } }, 'verification.secret'],
    [{ verification: { type: 'github', header: 'x' } }, 'verification.header'],
    [{ verification: { type: 'secret', header: 'a b' } }, 'verification.header'],
    [{ verification: { type: 'standard_webhooks', secret: 'not base64!' } }, 'verification.secret'],
    [{ dedupe: 'a b' }, 'dedupe'],
    [{ filter: [{ pointer: 'a', equals: 1 }] }, 'filter[0].pointer'],
    [{ filter: [{ pointer: '/a' }] }, 'filter[0].equals'],
    [{ conversation: 'old' }, 'conversation'],
    [{ type: 'email' }, 'type'],
    [{ agent_profile: 'gpt' }, 'agent_profile'],
  ])('is not made with %j', async (change, param) => {
    const plain = { name: 'Orders', message_template: 'x', verification: { type: 'none' } };
    const { status, body } = await api.call('trigger.create', { ...plain, ...change });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_argument', param]);
    expect((await api.call('trigger.list')).body.data).toEqual([]);
  });

  it('is not there for another account, nor are its deliveries', async () => {
    const trigger = await create({ message_template: 'Go' });
    await send(trigger.url, {});
    const [event] = await eventsOf(trigger);
    const { key } = await addOwner(store.database);
    for (const id of [trigger.id, 'A'.repeat(22), 'x']) {
      for (const name of ['trigger.detail', 'trigger.update', 'trigger.delete', 'trigger.events', 'trigger.try']) {
        expect((await api.call(name, { trigger_id: id }, { key })).status, name).toBe(404);
      }
    }
    for (const id of [String(event?.id), 'x']) {
      expect((await api.call('trigger.replay', { event_id: id }, { key })).status).toBe(404);
    }
    expect((await api.call('trigger.delete', { trigger_id: trigger.id })).body).toMatchObject({ id: trigger.id, deleted: true });
    expect((await send(trigger.url, {})).status).toBe(404);
    expect(await store.query('SELECT id FROM trigger_events')).toEqual([]);
  });
});
