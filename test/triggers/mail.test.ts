import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OwnRateLimiter } from '../../src/http/service/http-service.ts';
import { defaultRates } from '../../src/rules/instance/rate-window.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { sampleFile, sampleMail, sampleParts } from '../support/mail/mail-samples.ts';
import { mailDomain, startMail } from '../support/mail/mail-under-test.ts';
import { SmtpClient } from '../support/mail/smtp-client.ts';

interface Shown extends Json {
  id: string;
  address: string;
}

describeStores('a trigger for mail', (store) => {
  let api: ApiUnderTest;
  let mail: Awaited<ReturnType<typeof startMail>>;
  const clock = new TestClock(Date.UTC(2027, 0, 4, 10));
  const create = async (input: Json = {}): Promise<Shown> => {
    const plain = { name: 'Help', type: 'email', message_template: '{{from}} writes: {{subject}}\n\n{{/text}}' };
    const { body } = await api.call('trigger.create', { ...plain, ...input });
    expect(body.error).toBeUndefined();
    return body.trigger as Shown;
  };
  const send = async (to: string, data: string | Uint8Array = sampleMail(), from?: string) => {
    // Ids sort by their milliseconds.
    await clock.advance(1);
    return SmtpClient.send(mail.port, { to, data, ...(from !== undefined && { from }) });
  };
  const eventsOf = async ({ id }: Shown) => (await api.call('trigger.events', { trigger_id: id })).body.data;
  const countTasks = async () => (await api.call('task.list')).body.data.length;
  const messagesOf = async (taskId: unknown) => {
    const { body } = await api.call('task.listMessages', { task_id: String(taskId), order: 'asc' });
    return body.messages.filter(({ type }) => type === 'user_message').map(({ user_message: said }) => said as Json);
  };

  beforeEach(async () => {
    api = await ApiUnderTest.start(store.database, {
      clock,
      mailDomain,
      limiter: new OwnRateLimiter(clock, { ...defaultRates }),
    });
    mail = await startMail(api, { clock });
  });
  afterEach(async () => {
    await mail.stop();
    await api.stop();
  });

  it('has an address that cannot be guessed, starts a task with what a mail says, and marks it as a stranger’s', async () => {
    const trigger = await create();
    expect(trigger).toMatchObject({ type: 'email', verification: { type: 'none' }, dedupe: '/message_id' });
    expect(trigger.address).toMatch(/^[0-9a-f]{40}@in\.test$/);
    expect(trigger).not.toHaveProperty('url');
    expect((await send(trigger.address.toUpperCase())).code).toBe(250);
    const [event] = await eventsOf(trigger);
    expect(event).toMatchObject({ outcome: 'started', cause: 'delivery', notes: [], is_replayable: true });
    expect(event?.headers).toMatchObject({
      ...{ from: 'ann@example.com', subject: 'The page is blank', 'message-id': '<one@example.com>' },
      'authentication-results': 'spf=none; dkim=none; dmarc=none',
    });
    const text = 'ann@example.com writes: The page is blank\n\nThe page is blank since this morning.';
    expect(await messagesOf(event?.task_id)).toEqual([expect.objectContaining({ content: text })]);
    const [row] = await store.query(
      `SELECT body FROM events WHERE task_id = ? AND type = 'user_message'`,
      String(event?.task_id),
    );
    const message = JSON.parse(String(row?.body)) as { inherited: Json; quoted: unknown[] };
    expect(message.inherited).toMatchObject({ isUntrusted: true, hosts: [] });
    expect(message.quoted).toHaveLength(3);
  });

  it('brings attachments as files of the message', async () => {
    const trigger = await create();
    const parts = ['Content-Type: text/plain\r\n\r\nSee the file.', sampleFile('order.csv', 'a,b\n1,2', 'text/csv')];
    expect((await send(trigger.address, sampleParts([...parts, sampleFile('run.exe', 'x')]))).code).toBe(250);
    const [event] = await eventsOf(trigger);
    expect(event?.notes).toEqual([expect.stringContaining('run.exe was left out')]);
    const [message] = await messagesOf(event?.task_id);
    expect(message?.attachments).toEqual([expect.objectContaining({ filename: 'order.csv', content_type: 'text/csv' })]);
    const [file] = (message?.attachments ?? []) as { url: string }[];
    expect(await (await fetch(String(file?.url))).text()).toBe('a,b\n1,2');
  });

  it('starts one task for a mail that is sent again, also without an id, and continues one conversation if its owner wants that', async () => {
    const trigger = await create({ conversation: 'same' });
    for (const id of ['one@example.com', 'one@example.com', null, null]) {
      expect((await send(trigger.address, sampleMail({ id }))).code).toBe(250);
    }
    const events = await eventsOf(trigger);
    expect(events.map(({ outcome }) => outcome)).toEqual(['duplicate', 'started', 'duplicate', 'started']);
    expect(new Set(events.map(({ task_id }) => task_id)).size).toBe(1);
    expect(await messagesOf(events[0]?.task_id)).toHaveLength(2);
  });

  it('starts nothing for what its filter does not want, and for what could go round for ever', async () => {
    const trigger = await create({ filter: [{ pointer: '/from', equals: 'ann@example.com' }] });
    const proven = await create({ filter: [{ pointer: '/dmarc', equals: 'pass' }] });
    expect((await send(trigger.address, sampleMail().replace('Ann@example.com', 'bo@example.com'))).code).toBe(250);
    expect((await send(proven.address)).code).toBe(250);
    expect((await send(trigger.address, sampleMail(), '')).code).toBe(250);
    expect((await send(trigger.address, sampleMail({ headers: ['Auto-Submitted: auto-replied'] }))).code).toBe(250);
    expect((await send(trigger.address, sampleMail(), `x@${mailDomain}`)).code).toBe(250);
    const events = await eventsOf(trigger);
    expect(events.map(({ outcome, notes }) => [outcome, (notes as string[])[0]?.slice(0, 12)])).toEqual([
      ['filtered', 'It comes fro'],
      ['filtered', 'A program ha'],
      ['filtered', 'It is a repo'],
      ['filtered', undefined],
    ]);
    expect((await eventsOf(proven)).map(({ outcome }) => outcome)).toEqual(['filtered']);
    expect(await countTasks()).toBe(0);
  });

  it('is the only thing that mail is taken for: others have no address here, and nobody can log in', async () => {
    const trigger = await create();
    const { client, greeting } = await SmtpClient.connect(mail.port);
    expect(greeting).toMatchObject({ code: 220 });
    const { lines } = await client.command('EHLO mx.example.com');
    expect(lines.join()).not.toMatch(/AUTH|STARTTLS|XFORWARD|XCLIENT/);
    expect(lines).toContain('SIZE 1048576');
    for (const command of ['AUTH PLAIN AHUAcA==', 'VRFY ann', 'STARTTLS', 'XFORWARD ADDR=192.0.2.1']) {
      expect((await client.command(command)).code, command).toBeGreaterThanOrEqual(500);
    }
    await client.command('MAIL FROM:<ann@example.com>');
    const gone = await create();
    await api.call('trigger.delete', { trigger_id: gone.id });
    const token = trigger.address.split('@', 1)[0] ?? '';
    const unknown = [
      gone.address,
      `${'0'.repeat(40)}@${mailDomain}`,
      'bo@example.net',
      `${token}@example.net`,
      `${token}%example.net@${mailDomain}`,
    ];
    const answers = [];
    for (const address of unknown) answers.push(await client.command(`RCPT TO:<${address}>`));
    expect(answers.map(({ code }) => code)).toEqual(unknown.map(() => 550));
    expect(new Set(answers.map(({ lines: said }) => said.join())).size).toBe(1);
    expect((await client.command('DATA')).code).toBe(503);
    expect((await client.command(`RCPT TO:<x@${mailDomain}>`)).code).toBe(421);
    client.close();
  });

  it('is not sent to by HTTP, nor one for HTTP by mail', async () => {
    const trigger = await create();
    const token = trigger.address.split('@', 1)[0] ?? '';
    expect((await api.fetch(`/t/${token}`, { method: 'POST', body: '{}' }, { key: null })).status).toBe(404);
    const other = await create({ type: 'http', message_template: 'x', verification: { type: 'none' } });
    expect((await send(`${String(other.url).split('/').at(-1)}@${mailDomain}`)).code).toBe(550);
  });

  it('that is paused, or sent too much, asks senders to try again', async () => {
    const trigger = await create();
    await api.call('trigger.update', { trigger_id: trigger.id, status: 'paused' });
    expect((await send(trigger.address)).code).toBe(450);
    await api.call('trigger.update', { trigger_id: trigger.id, status: 'active' });
    const { client } = await SmtpClient.connect(mail.port);
    await client.command('EHLO mx.example.com');
    const codes = new Set<number>();
    for (let count = 0; count <= defaultRates.trigger; count++) {
      await client.command('MAIL FROM:<ann@example.com>');
      codes.add((await client.command(`RCPT TO:<${trigger.address}>`)).code);
      await client.command('RSET');
    }
    expect([...codes]).toEqual([250, 451]);
    client.close();
  });

  it('is the only one of a transaction: the sender splits a mail to several, so that each has an answer of its own', async () => {
    const [one, two] = [await create(), await create()];
    const { client } = await SmtpClient.connect(mail.port);
    await client.command('EHLO mx.example.com');
    await client.command('MAIL FROM:<ann@example.com>');
    const answers = [];
    for (const { address } of [one, two, one]) answers.push((await client.command(`RCPT TO:<${address}>`)).code);
    expect(answers).toEqual([250, 452, 250]);
    await client.command('DATA');
    expect((await client.data(sampleMail())).code).toBe(250);
    client.close();
    expect([(await eventsOf(one)).length, (await eventsOf(two)).length]).toEqual([1, 0]);
  });

  it('is told of a mail that is too long or that nobody can read, and its sender too', async () => {
    const trigger = await create();
    expect((await send(trigger.address, sampleMail({ body: 'x\r\n'.repeat(400_000) }))).code).toBe(552);
    expect((await send(trigger.address, sampleMail({ headers: [`X-Long: ${'x'.repeat(500_000)}`] }))).code).toBe(554);
    expect((await eventsOf(trigger)).map(({ outcome, error }) => [outcome, error])).toEqual([
      ['refused', expect.stringContaining('cannot be read')],
      ['refused', 'The mail is longer than 1 MB.'],
    ]);
    const { client } = await SmtpClient.connect(mail.port);
    await client.command('EHLO mx.example.com');
    expect((await client.command('MAIL FROM:<ann@example.com> SIZE=2000000')).code).toBe(552);
    client.close();
  });

  it('is told of a mail that is longer than its sender announced, and its sender too', async () => {
    const trigger = await create();
    const { client } = await SmtpClient.connect(mail.port);
    const commands = ['EHLO mx.example.com', 'MAIL FROM:<ann@example.com> SIZE=1', `RCPT TO:<${trigger.address}>`, 'DATA'];
    for (const command of commands) expect((await client.command(command)).code).toBeLessThan(400);
    expect((await client.data(sampleMail({ body: 'x\r\n'.repeat(100_000) }))).code).toBe(552);
    client.close();
    expect((await eventsOf(trigger)).map(({ outcome, error }) => [outcome, error])).toEqual([
      ['refused', 'The mail is longer than its sender announced.'],
    ]);
    expect((await send(trigger.address)).code).toBe(250);
  });

  it('takes no mail whose task could not be stored, and takes it when it is sent again', async () => {
    const trigger = await create();
    let isBroken = true;
    const { triggers } = api.http;
    const flaky = Object.create(api, {
      http: {
        value: {
          triggers: {
            ...triggers,
            open(...args: Parameters<typeof triggers.open>) {
              const ports = triggers.open(...args);
              const fail: typeof ports.run = () => Promise.reject(new Error('the disk is full'));
              return isBroken ? { ...ports, run: fail } : ports;
            },
          },
        },
      },
    }) as ApiUnderTest;
    const other = await startMail(flaky, { clock });
    try {
      const sent = { to: trigger.address, data: sampleMail() };
      expect((await SmtpClient.send(other.port, sent)).code).toBe(451);
      expect(await countTasks()).toBe(0);
      isBroken = false;
      expect((await SmtpClient.send(other.port, sent)).code).toBe(250);
      expect(await countTasks()).toBe(1);
    } finally {
      await other.stop();
    }
  });

  it('waits for no mail that arrives too slowly', async () => {
    const trigger = await create();
    const { client } = await SmtpClient.connect(mail.port);
    const commands = ['EHLO mx.example.com', 'MAIL FROM:<ann@example.com>', `RCPT TO:<${trigger.address}>`, 'DATA'];
    for (const command of commands) await client.command(command);
    client.write('Subject: slow\r\n');
    await clock.advance(31_000);
    expect([(await client.read()).code, (await client.read()).code]).toEqual([421, 0]);
    client.close();
    expect(await eventsOf(trigger)).toEqual([]);
  });

  it('takes nothing of a mail that breaks off', async () => {
    const trigger = await create();
    const { client } = await SmtpClient.connect(mail.port);
    for (const command of ['EHLO mx.example.com', 'MAIL FROM:<ann@example.com>', `RCPT TO:<${trigger.address}>`, 'DATA']) {
      await client.command(command);
    }
    client.write(sampleMail());
    client.close();
    await mail.stop();
    expect(await eventsOf(trigger)).toEqual([]);
    mail = await startMail(api, { clock });
  });

  it('is replayed with the template of now, and tried with a body of its owner', async () => {
    const trigger = await create();
    await send(trigger.address);
    await api.call('trigger.update', { trigger_id: trigger.id, message_template: 'Again: {{subject}} ({{spf}})' });
    const [event] = await eventsOf(trigger);
    await clock.advance(1);
    const replayed = (await api.call('trigger.replay', { event_id: String(event?.id) })).body;
    expect(await messagesOf(replayed.task_id)).toEqual([expect.objectContaining({ content: 'Again: The page is blank (none)' })]);
    const tried = (await api.call('trigger.try', { trigger_id: trigger.id, body: { subject: 'Hi' } })).body;
    expect(await messagesOf(tried.task_id)).toEqual([expect.objectContaining({ content: 'Again: Hi ()' })]);
  });

  it('gets another address, which ends the one before', async () => {
    const trigger = await create();
    const { body } = await api.call('trigger.update', { trigger_id: trigger.id, rotate_url: true });
    const { address } = body.trigger as Shown;
    expect([(await send(trigger.address)).code, (await send(address)).code]).toEqual([550, 250]);
  });

  it('ends connections that are too many or last too long', async () => {
    const open = await Promise.all(Array.from({ length: 21 }, () => SmtpClient.connect(mail.port)));
    expect(open.filter(({ greeting }) => greeting.code === 220)).toHaveLength(20);
    expect(open.filter(({ greeting }) => greeting.code === 421)).toHaveLength(1);
    await clock.advance(600_000);
    const ends = await Promise.all(open.filter(({ greeting }) => greeting.code === 220).map(({ client }) => client.read()));
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([421]));
    for (const { client } of open) client.close();
  });

  it.each<[Json, string]>([
    [{ message_template: '{{title}}' }, 'message_template'],
    [{ verification: { type: 'github' } }, 'verification.type'],
    [{ type: 'fax' }, 'type'],
  ])('is not made with %j', async (change, param) => {
    const plain = { name: 'Help', type: 'email', message_template: 'x' };
    const { status, body } = await api.call('trigger.create', { ...plain, ...change });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_argument', param]);
  });

  it('does not become one for HTTP', async () => {
    const trigger = await create();
    const { status, body } = await api.call('trigger.update', { trigger_id: trigger.id, type: 'http' });
    expect([status, body.error.param]).toEqual([400, 'type']);
  });

  it('survives bytes that are no SMTP', async () => {
    for (const bytes of [randomBytes(2000).toString('latin1'), 'GET / HTTP/1.1\r\n\r\n', `EHLO ${'x'.repeat(10_000)}\r\n`]) {
      const { client } = await SmtpClient.connect(mail.port);
      client.write(`${bytes}\r\nQUIT\r\n`);
      await client.read();
      client.close();
    }
    expect((await send((await create()).address)).code).toBe(250);
  });
});
