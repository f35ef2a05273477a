import { Fault } from '@errand/base/fault.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNoticeMailer } from '../../src/work/notifications/notice-mailer.ts';
import { getNoticeContent } from '../../src/store/notifications/notification-content.ts';
import { parseInboxItemId } from '../../src/rules/inbox/inbox-item.ts';
import { makeReplyAddress } from '../../src/rules/inbox/reply-address.ts';
import type { Database } from '../../src/store/db/database.ts';
import { getReadableTask } from '../../src/store/tasks/tasks.ts';
import { noteAddresses } from '../../src/store/instance/instance-values.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { mailDomain, replyKey, startMail } from '../support/mail/mail-under-test.ts';
import { SmtpClient } from '../support/mail/smtp-client.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const schema = { type: 'object', properties: { accept: { type: 'boolean' } }, required: ['accept'] };

describeStores('a reply by mail', (store) => {
  let api: ApiUnderTest;
  let mail: Awaited<ReturnType<typeof startMail>>;
  let mails = 0;

  beforeEach(async () => {
    const clock = new TestClock(Date.now());
    api = await ApiUnderTest.start(store.database, { clock, mailDomain });
    mail = await startMail(api, { clock });
  });
  afterEach(async () => {
    await mail.stop();
    await api.stop();
  });

  /** A task that waits, and the id of its item. */
  const ask = async (question = 'Which currency?') => {
    const taskId = await api.createTask('x', { interactive_mode: true, title: 'Sums' });
    await (await WorkerHand.take(store.database, taskId)).ask(question);
    const { data } = (await api.call('inbox.list')).body;
    const itemId = String(data.find((item: Json) => item.task_id === taskId)?.id);
    return { taskId, itemId };
  };
  const addressOf = (itemId: string) => {
    const key = parseInboxItemId(itemId);
    if (!key) throw new Error('no item');
    return `${makeReplyAddress(replyKey, key)}@${mailDomain}`;
  };
  const emailOf = async (accountId: string) => {
    const [row] = await store.query('SELECT email FROM accounts WHERE account_id = ?', accountId);
    return String(row?.email);
  };
  const write = (from: string, text: string, headers = '', id = `m${(mails += 1)}`) =>
    `From: ${from}\nTo: x@${mailDomain}\nSubject: Re: Sums\nMessage-ID: <${id}@example.com>\n${headers}\n${text}\n`;
  const send = (to: string, from: string, data: string) => SmtpClient.send(mail.port, { to, from, data });
  const statusOf = async (taskId: string) => (await api.call('task.detail', { task_id: taskId })).body.task.status;
  const lastWords = async (taskId: string) => {
    const { body } = await api.call('task.listMessages', { task_id: taskId });
    return (body.messages.find((event: Json) => event.type === 'user_message') as { user_message: Json } | undefined)
      ?.user_message.content;
  };

  it('answers the question that the mail was about, once, and is kept with who decided', async () => {
    const { taskId, itemId } = await ask();
    const email = await emailOf(api.owner.accountId);
    const data = write(
      email,
      'In euros, please.\n\nOn Mon, 4 Jan 2027, Errand <e@example.com> wrote:\n> Question: Which currency?',
    );
    expect(await send(addressOf(itemId), email, data)).toMatchObject({ code: 250 });
    expect(await statusOf(taskId)).toBe('running');
    expect(await lastWords(taskId)).toBe('In euros, please.');
    // The sending server did not hear the answer, and sends the mail again.
    expect(await send(addressOf(itemId), email, data)).toMatchObject({ code: 250 });
    expect(await send(addressOf(itemId), email, write(email, 'In yen.'))).toMatchObject({ code: 554 });
    const { data: decided } = (await api.call('inbox.list', { status: 'decided' })).body;
    expect(decided.find((item: Json) => item.id === itemId)).toMatchObject({ decided_by: 'mail', answer: 'In euros, please.' });
  });

  it('decides nothing for others, for programs, without words, or at an address that was not given out', async () => {
    const { taskId, itemId } = await ask();
    const email = await emailOf(api.owner.accountId);
    const stranger = await emailOf((await addOwner(store.database)).accountId);
    const address = addressOf(itemId);
    expect(await send(address, stranger, write(stranger, 'In yen.'))).toMatchObject({ code: 554 });
    expect(await send(address, 'nobody@example.com', write('nobody@example.com', 'In yen.'))).toMatchObject({ code: 554 });
    expect(await send(address, email, write(email, 'I am away.', 'Auto-Submitted: auto-replied\n'))).toMatchObject({ code: 554 });
    expect(await send(address, email, write(email, '> Question'))).toMatchObject({ code: 554 });
    const changed = `${address.startsWith('0') ? '1' : '0'}${address.slice(1)}`;
    expect(await send(changed, email, write(email, 'In yen.'))).toMatchObject({ code: 550 });
    expect(await statusOf(taskId)).toBe('waiting');
  });

  it('is asked for again while the store cannot be read', async () => {
    const { itemId } = await ask();
    const email = await emailOf(api.owner.accountId);
    const run: Database['run'] = (operation, args) =>
      operation.name === getReadableTask.name
        ? Promise.reject(new Fault('unavailable', 'no database'))
        : store.database.run(operation, args);
    const other = await startMail(api, { clock: new TestClock(Date.now()), database: { ...store.database, run } });
    const data = write(email, 'In euros.');
    expect(await SmtpClient.send(other.port, { to: addressOf(itemId), from: email, data })).toMatchObject({ code: 451 });
    await other.stop();
    expect(await send(addressOf(itemId), email, data)).toMatchObject({ code: 250 });
  });

  it.each([
    ['yes', true],
    ['Nein.', false],
  ])('decides about an action with the word %s', async (word, accept) => {
    const taskId = await api.createTask('x', { interactive_mode: true });
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.log(
      { type: 'action_prepared', callId: 'c1', tool: 'run_shell', params: {}, brief: 'Running rm', action: 'Run', param: 'rm' },
      { type: 'waiting', callId: 'c1', question: 'Running rm', action: { kind: 'terminalExecute', schema } },
    );
    const { data } = (await api.call('inbox.list')).body;
    const itemId = String(data.find((item: Json) => item.task_id === taskId)?.id);
    const email = await emailOf(api.owner.accountId);
    expect(await send(addressOf(itemId), email, write(email, `${word}\n\n> Running rm`))).toMatchObject({ code: 250 });
    const { data: decided } = (await api.call('inbox.list', { status: 'decided' })).body;
    expect(decided.find((item: Json) => item.id === itemId)).toMatchObject({ decided_by: 'mail', accept });
  });

  it('has its address and what to write in the mail about the item', async () => {
    await store.database.run(noteAddresses, { baseUrl: 'https://errand.example', contentUrl: 'https://content.example' });
    const { taskId, itemId } = await ask();
    const seq = parseInboxItemId(itemId)?.seq ?? 0;
    const { accountId } = api.owner;
    const content = await store.database.run(getNoticeContent, { accountId, taskAccountId: accountId, taskId, seq });
    if (!content) throw new Error('no content');
    const sent: { replyTo?: string; text: string }[] = [];
    const mailer = createNoticeMailer({
      database: store.database,
      mail: {
        send(one) {
          sent.push(one);
          return Promise.resolve({ outcome: 'sent' });
        },
      },
      replyAddressOf: (item) => `${makeReplyAddress(replyKey, item)}@${mailDomain}`,
    });
    const notice = {
      accountId,
      id: 'n',
      fence: 1,
      tries: 1,
      kind: 'question',
      target: 'email',
      taskAccountId: accountId,
      taskId,
      seq,
    };
    await mailer.send(notice as Parameters<typeof mailer.send>[0], content);
    expect(sent).toMatchObject([
      { replyTo: addressOf(itemId), text: expect.stringContaining('Reply to this mail to answer.') as string },
    ]);
  });
});
