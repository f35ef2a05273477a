import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { LocalDeployment } from '../support/service/deployment.ts';
import { eventually, type Json, type ServiceClient } from '../support/service/service-client.ts';
import type { SlackMessage } from '../support/bridges/slack-server.ts';
import { ada, labelsOf, mallory, SlackUnderTest } from '../support/bridges/slack-under-test.ts';

const scenario = (step: Json) => `\`\`\`scenario\n${JSON.stringify([step])}\n\`\`\``;
const askColor = scenario({
  calls: [{ tool: 'ask_user', input: { question: 'Which color?', suggestions: ['red & <b>', 'blue'] } }],
});

describe.each(['sqlite', 'postgres'] as const)('an item of the inbox in Slack on %s', (shape) => {
  const start = async () => {
    const under = await SlackUnderTest.start((env) => LocalDeployment.start(shape, { env }));
    await under.link();
    return under;
  };
  const openItem = (client: ServiceClient, taskId: unknown) =>
    eventually('the item is there', async () => {
      const { data } = await client.ask('inbox.list', {});
      return (data as Json[]).find(({ task_id: id }) => id === taskId) ?? null;
    });
  const decided = async (client: ServiceClient) => (await client.ask('inbox.list', { status: 'decided' })).data as Json[];
  const findNotice = (under: Pick<SlackUnderTest<LocalDeployment>, 'until'>, itemId: unknown) =>
    under.until('the notification', ({ messages }) => messages.find(({ text }) => text.includes(`/inbox#${String(itemId)}`)));
  const untilLabels = (under: Pick<SlackUnderTest<LocalDeployment>, 'until'>, { ts }: SlackMessage, labels: string[]) =>
    under.until(labels.join(), ({ messages }) => {
      const now = messages.find((message) => message.ts === ts);
      return now && labelsOf(now).join('|') === labels.join('|');
    });
  const untilRead = (under: SlackUnderTest<LocalDeployment>) =>
    under.until('all is acknowledged', ({ openEnvelopes }) => openEnvelopes === 0);

  it('is told with its choices, and decided by one press, however often Slack repeats it', async () => {
    await using under = await start();
    const { slack, deployment } = under;
    const { client } = deployment;
    await client.ask('notification.set', { topics: { questions: ['chat'], failures: ['chat'], finished: [] } });
    const create = async (content: string) =>
      (await client.ask('task.create', { message: { content }, interactive_mode: true, title: 'Paint *it*' })).task_id;
    const taskId = await create(askColor);
    const item = await openItem(client, taskId);
    const notice = await findNotice(under, item.id);
    expect(notice.channel).toBe(`D${ada}`);
    expect(notice.text).toMatch(/^\*Paint \*it\*\*\n\nQuestion: Which color\? - red &amp; &lt;b&gt; - blue\n\n/);
    expect(labelsOf(notice)).toEqual(['red & <b>', 'blue']);

    await slack.press(ada, notice, 1);
    await slack.press(ada, notice, 1);
    await untilLabels(under, notice, ['✓ blue']);
    await slack.press(ada, notice, 1, { time: 2 });
    await slack.press(ada, notice, 0, { time: 3 });
    await untilLabels(under, notice, ['This was already decided. ✓ blue']);
    expect(await decided(client)).toMatchObject([{ id: item.id, answer: 'blue', decided_by_name: ada }]);

    // What is remembered of presses ends with the process.
    await deployment.service.restart();
    await slack.press(ada, notice, 1);
    await untilRead(under);
    await untilLabels(under, notice, ['✓ blue']);
    expect(await decided(client)).toHaveLength(1);
    const answers = (await client.listEvents(String(taskId))).filter(({ type }) => type === 'user_message');
    expect(answers.map(({ user_message: one }) => (one as Json).content)).toEqual([askColor, 'blue']);

    const failed = await openItem(client, await create('fail broken'));
    const failure = await findNotice(under, failed.id);
    expect(labelsOf(failure)).toEqual(['Try again', 'Dismiss']);
    await slack.press(ada, failure, 1, { time: 4 });
    await untilLabels(under, failure, ['✗ Dismissed']);
  });

  it('is decided by nobody else: not by strangers, people of other workspaces, other chats, or made-up buttons', async () => {
    await using under = await start();
    const { slack, deployment } = under;
    const { client } = deployment;
    await client.ask('notification.set', { topics: { questions: ['chat'], finished: [] } });
    const { task_id: taskId } = await client.ask('task.create', { message: { content: askColor }, interactive_mode: true });
    const item = await openItem(client, taskId);
    const notice = await findNotice(under, item.id);
    const [value = ''] = notice.blocks.flatMap(({ elements = [] }) => elements.flatMap(({ value: one }) => one ?? []));
    const made = (text: string) => ({ actions: [{ type: 'button', action_id: 'b0', action_ts: '1700009000.1', value: text }] });
    await slack.press(mallory, notice, 0);
    await slack.press(mallory, { ...notice, channel: `D${mallory}` }, 0);
    await slack.press(ada, notice, 0, { user: { id: ada, username: 'ada', team_id: 'T2' } });
    await slack.press(ada, { ...notice, channel: 'C1' }, 0);
    for (const text of [
      value.replace(/\.0$/, '.9'),
      `${value}0`,
      value.replace(/-\d+/, '-999999999'),
      `iy${'0'.repeat(22)}-3.0`,
      '',
      '\0',
    ])
      await slack.press(ada, notice, 0, made(text));
    await slack.press(ada, notice, 0, { actions: [] });
    await slack.press(ada, notice, 0, { channel: null, message: null });
    await slack.control('post', { type: 'interactive', payload: { payload: 'not an object' } });
    await untilRead(under);
    await slack.say(ada, 'say all is read');
    await under.untilSaid('all is read');
    expect(await decided(client)).toEqual([]);
    expect((await openItem(client, taskId)).id).toBe(item.id);
    // No door of HTTP takes presses, signed or not: they only come over the connection that the service opens.
    for (const path of ['/slack/interactive', '/slack/events', '/v2/bridge.slack']) {
      const headers = { 'x-slack-signature': 'v0=00', 'x-slack-request-timestamp': '1700000000' };
      const answer = await fetch(`${deployment.service.url}${path}`, { method: 'POST', headers, body: 'payload=%7B%7D' });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    await slack.press(ada, notice, 0);
    await eventually('it is decided', async () => ((await decided(client)).length === 1 ? true : null));
  });

  it('comes over no connection but to Slack', async () => {
    await using under = await start();
    const { slack } = under;
    let visits = 0;
    await using other = createServer(() => (visits += 1)).on('upgrade', (_, socket) => {
      visits += 1;
      socket.destroy();
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `ws://127.0.0.1:${(other.address() as AddressInfo).port}/socket`;
    await slack.control('fail', {
      failures: [{ method: 'apps.connections.open', status: 200, body: { ok: true, url }, times: 1 }],
    });
    await slack.control('disconnect');
    await slack.say(ada, 'say back at Slack');
    await under.untilSaid('back at Slack');
    expect(visits).toBe(0);
  });
});
