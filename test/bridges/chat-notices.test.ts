import { describe, expect, it } from 'vitest';
import type { LocalDeployment } from '../support/service/deployment.ts';
import { eventually, type Json, type ServiceClient } from '../support/service/service-client.ts';
import { ada, BridgeUnderTest } from '../support/bridges/bridge-under-test.ts';

const shapes = ['sqlite', 'postgres'] as const;

function scenario(...steps: Json[]): string {
  return `\`\`\`scenario\n${JSON.stringify(steps)}\n\`\`\``;
}

const askColour = scenario({
  calls: [{ tool: 'ask_user', input: { question: 'Which colour?', suggestions: ['red & <b>', 'blue'] } }],
});

describe.each(shapes)('an item of the inbox in a chat on %s', (shape) => {
  const openItem = (client: ServiceClient, taskId: string) =>
    eventually('the item is there', async () => {
      const { data } = await client.ask('inbox.list', {});
      return (data as Json[]).find(({ task_id: id }) => id === taskId) ?? null;
    });
  const findNotice = (bridge: Pick<BridgeUnderTest<LocalDeployment>, 'until'>, itemId: unknown) =>
    bridge.until('the notification', ({ messages }) => messages.find(({ text }) => text.includes(`/inbox#${String(itemId)}`)));

  it('is told with its choices, and decided by one of them, once', async () => {
    await using bridge = await BridgeUnderTest.startLocal(shape);
    await bridge.link();
    const { client } = bridge.deployment;
    await client.ask('notification.set', { topics: { questions: ['chat'], finished: [] } });
    const create = async (content: string) =>
      String((await client.ask('task.create', { message: { content }, interactive_mode: true, title: 'Paint *it*' })).task_id);

    const asked = await create(askColour);
    const item = await openItem(client, asked);
    const notice = await findNotice(bridge, item.id);
    expect(notice.text).toMatch(/^Paint \*it\*\n\nQuestion: Which colour\? - red & <b> - blue\n\nhttps?:/);
    expect(notice.buttons.map(({ text }) => text)).toEqual(['red & <b>', 'blue']);
    await bridge.telegram.press(ada, notice.message_id, notice.buttons[1]?.callback_data ?? '');
    const outcome = await bridge.until('the outcome', ({ messages }) => {
      const now = messages.find(({ message_id: id }) => id === notice.message_id)?.buttons ?? [];
      return now.length === 1 && now[0]?.text;
    });
    expect(outcome).toBe('✓ blue');
    const { data } = await client.ask('inbox.list', { status: 'decided' });
    expect(data).toMatchObject([{ id: item.id, answer: 'blue', decided_by_name: '@ada' }]);
    const late = await client.call('inbox.decide', { id: item.id, answer: 'red' });
    expect(late.status).toBe(409);

    const second = await create('ask Which size?');
    const open = await openItem(client, second);
    const free = await findNotice(bridge, open.id);
    expect(free.text).toMatch(/Reply to this message to answer\.$/);
    const reply = { text: 'say Extra large', reply_to_message: { from: { id: 7, is_bot: true }, text: free.text } };
    await bridge.telegram.say(ada, reply);
    await bridge.untilSaid(ada, '✓ Decided');
    await eventually('the task has its answer', async () =>
      JSON.stringify(await client.listEvents(second)).includes('Extra large') ? true : null,
    );
  });

  it('is listed when asked for, and not reported twice where the chat shows the task itself', async () => {
    await using bridge = await BridgeUnderTest.startLocal(shape);
    await bridge.link();
    const { client } = bridge.deployment;
    await bridge.telegram.say(ada, '/inbox');
    await bridge.untilSaid(ada, 'Nothing waits for you.');
    await client.ask('notification.set', { topics: { questions: ['chat'], finished: [] } });
    await bridge.telegram.say(ada, askColour);
    await bridge.until('the question itself', ({ messages }) => messages.some(({ buttons }) => buttons.length === 2));
    const { task_id: failed } = await client.ask('task.create', { message: { content: scenario({ fail: 'broken' }) } });
    await client.ask('task.create', { message: { content: 'ask Which size?' }, interactive_mode: true });
    const isNotified = await bridge.until('the other question', ({ messages }) =>
      messages.some(({ text }) => text.includes('Question: Which size?')),
    );
    expect(isNotified).toBe(true);
    expect((await bridge.chatOf(ada)).filter(({ text }) => text.includes('Question: Which colour?'))).toEqual([]);
    expect(failed).toBeDefined();
    await bridge.telegram.say(ada, '/inbox');
    await bridge.until('both are listed', ({ messages }) => {
      const texts = messages.map(({ text }) => text);
      return (
        texts.some((text) => text.includes('Question: Which colour?')) &&
        texts.filter((text) => text.includes('Which size?')).length === 2
      );
    });
  });

  it('goes to another member of the team by a button, who is told', async () => {
    await using bridge = await BridgeUnderTest.startLocal(shape);
    await bridge.link();
    const { client } = bridge.deployment;
    await bridge.command('account', 'create', '--email', 'bea@example.com', '--plan', 'team');
    const { team_id: team } = (await bridge.command('team', 'create', '--name', 'Us', '--owner', 'owner@localhost')) as Json;
    const { token } = (await bridge.command('team', 'invite', '--team', String(team), '--email', 'bea@example.com')) as Json;
    await bridge.command('team', 'accept', '--token', String(token));
    await client.ask('notification.set', { topics: { questions: ['chat'], finished: [] } });
    const shared = { interactive_mode: true, share_visibility: 'team' };
    const { task_id: taskId } = await client.ask('task.create', { message: { content: 'ask Who?' }, ...shared });
    const item = await openItem(client, String(taskId));
    const notice = await findNotice(bridge, item.id);
    await bridge.telegram.press(ada, notice.message_id, notice.buttons.at(-1)?.callback_data ?? '');
    const buttonsNow = (wanted: string) =>
      bridge.until(`the button ${wanted}`, ({ messages }) => {
        const now = messages.find(({ message_id: id }) => id === notice.message_id)?.buttons ?? [];
        return now[0]?.text === wanted && now;
      });
    const members = await buttonsNow('bea@example.com');
    await bridge.telegram.press(ada, notice.message_id, members[0]?.callback_data ?? '');
    await buttonsNow('→ bea@example.com');
    const { data } = await client.ask('inbox.list', {});
    expect((data as Json[])[0]?.assignee).toBeDefined();
  });

  it('goes to a member of the team of its task, whichever team is the current one', async () => {
    await using bridge = await BridgeUnderTest.startLocal(shape);
    await bridge.link();
    const { client } = bridge.deployment;
    /** A team of the owner with somebody else in it, whose account it returns. */
    const found = async (name: string, email: string) => {
      await bridge.command('account', 'create', '--email', email, '--plan', 'team');
      const { team_id: team } = (await bridge.command('team', 'create', '--name', name, '--owner', 'owner@localhost')) as Json;
      const { token } = (await bridge.command('team', 'invite', '--team', String(team), '--email', email)) as Json;
      const { account_id: account } = (await bridge.command('team', 'accept', '--token', String(token))) as Json;
      return { team: String(team), account };
    };
    const blue = await found('Blue', 'bea@example.com');
    await found('Red', 'abe@example.com');
    const enter = (team: string) => bridge.command('team', 'switch', '--team', team, '--account', 'owner@localhost');
    await enter('Blue');
    await client.ask('notification.set', { topics: { questions: ['chat'], finished: [] } });
    const shared = { interactive_mode: true, share_visibility: 'team' };
    const { task_id: taskId } = await client.ask('task.create', { message: { content: 'ask Who?' }, ...shared });
    const item = await openItem(client, String(taskId));
    const notice = await findNotice(bridge, item.id);
    const buttonsNow = (wanted: string) =>
      bridge.until(`the button ${wanted}`, ({ messages }) => {
        const now = messages.find(({ message_id: id }) => id === notice.message_id)?.buttons ?? [];
        return now[0]?.text === wanted && now;
      });
    await enter('Red');
    await bridge.telegram.press(ada, notice.message_id, notice.buttons.at(-1)?.callback_data ?? '');
    const [mate] = await buttonsNow('bea@example.com');
    // Somebody who would be first in the list joins before the button is pressed.
    const invited = ['--team', blue.team, '--email', 'abe@example.com'];
    const { token } = (await bridge.command('team', 'invite', ...invited)) as Json;
    await bridge.command('team', 'accept', '--token', String(token));
    await bridge.telegram.press(ada, notice.message_id, mate?.callback_data ?? '');
    await buttonsNow('→ bea@example.com');
    await enter('Blue');
    const { data } = await client.ask('inbox.list', {});
    expect((data as Json[])[0]?.assignee).toBe(blue.account);
  });
});
