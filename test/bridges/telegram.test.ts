import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually, type Json } from '../support/service/service-client.ts';
import { ada, BridgeUnderTest, main, stranger } from '../support/bridges/bridge-under-test.ts';

const shapes = ['sqlite', 'postgres'] as const;

function scenario(...steps: Json[]): string {
  return `\`\`\`scenario\n${JSON.stringify(steps)}\n\`\`\``;
}

const askColour = scenario({
  calls: [{ tool: 'ask_user', input: { question: 'Which colour?', suggestions: ['red & <b>', 'blue'] } }],
});

describe.each(shapes)('a Telegram bot on %s', (shape) => {
  it('links a chat by a code that works once, and rejects strangers politely with a rate limit', async () => {
    await using bridge = await BridgeUnderTest.startLocal(shape);
    const { telegram } = bridge;
    await bridge.link();
    const used = await bridge.makeCode();
    await telegram.say(ada, `/link ${used.toLowerCase().replace('-', '')}`);
    await bridge.until(
      'linked again',
      ({ messages }) => messages.filter(({ text }) => text.startsWith('This chat is now linked')).length === 2,
    );
    const garbage: Json[] = [
      { message: 'nonsense' },
      { message: { message_id: 1, chat: { id: 5, type: 'private' } } },
      { poll: { id: '1' } },
      {
        callback_query: {
          id: 'x',
          from: { id: 2002 },
          data: 'y3',
          message: { message_id: 1, chat: { id: 2002, type: 'private' } },
        },
      },
    ];
    for (const update of garbage) await telegram.add(update);
    await telegram.say(ada, 'say from the group', { id: -77, type: 'group' });
    await telegram.say({ ...stranger }, 'say hello');
    await telegram.say(stranger, 'say hello again');
    await telegram.say(stranger, { document: { file_id: 'secret', file_name: 'x.txt' } });
    for (let tries = 0; tries < 7; tries += 1) await telegram.say(stranger, `/link BCDF-GHJ${'KLMNPQR'.charAt(tries)}`);
    await telegram.say(stranger, `/start ${used}`);
    await telegram.say(ada, 'say still here');
    await bridge.untilSaid(ada, 'still here');
    const received = (await bridge.chatOf(stranger)).map(({ text }) => text);
    expect(received[0]).toMatch(/^This bot is for people with an account here/);
    expect(received.slice(1)).toEqual([
      ...Array.from({ length: 4 }, () => 'That code is incorrect or has expired. Create a new one and send it here.'),
      'Too many incorrect codes. Try again in 10 minutes.',
    ]);
    const seen = await telegram.look();
    expect(seen.calls).not.toContain('getFile');
    expect(seen.messages.filter(({ chat }) => chat === '-77')).toEqual([]);
    expect(await bridge.command('bridge', 'list')).toMatchObject({
      data: [{ platform: 'telegram', title: '@ada', problem: null }],
      bots: [{ platform: 'telegram', name: '@errand_test_bot', url: 'https://t.me/errand_test_bot' }],
    });
    const lines = bridge.deployment.service.lines.map(({ text }) => text).join('\n');
    expect(lines).not.toContain(telegram.token.split(':')[1]);
  });

  it('transmits text and files both ways', async () => {
    await using bridge = await BridgeUnderTest.startLocal(shape);
    const { telegram, deployment } = bridge;
    await bridge.link();
    await telegram.say(ada, 'say **Bold** and <plain> & [a link](https://example.com/?a=1&b=2)');
    const styled = await bridge.untilSaid(ada, 'Bold and <plain> & a link');
    expect(styled.parseMode).toBe('HTML');
    await telegram.addFile('notes', Buffer.from('beans and peas'));
    const document = { file_id: 'notes', file_name: 'notes.txt', mime_type: 'text/plain', file_size: 14 };
    await telegram.say(ada, { caption: 'read attachments/notes.txt', document });
    await bridge.untilSaid(ada, /beans and peas/);
    await telegram.addFile('speech', Buffer.from('OggS speech'));
    await telegram.say(ada, { voice: { file_id: 'speech', mime_type: 'audio/ogg', file_size: 11 } });
    await telegram.say(ada, { document: { file_id: 'film', file_name: 'film.mkv', file_size: 21 * 1024 * 1024 } });
    await bridge.untilSaid(ada, 'film.mkv is too large. The limit here is 20 MB.');
    await telegram.say(ada, { document: { file_id: 'notes', file_name: 'evil.exe', file_size: 14 } });
    await bridge.untilSaid(ada, /^Couldn’t send your message: .*filename/);
    await telegram.say(ada, { sticker: { file_id: 's' } });
    await bridge.untilSaid(ada, 'Only text, images, files and voice messages are supported here.');
    const events = await deployment.client.listEvents(main);
    const voices = events.flatMap(({ user_message: said }) =>
      (said as Json | undefined)?.message_type === 'voice' ? [said] : [],
    );
    expect(voices).toMatchObject([
      { attachments: [{ type: 'voice', filename: expect.stringMatching(/^voice-\d+\.ogg$/) as string }] },
    ]);
    await telegram.say(ada, 'write hello.md with Hello');
    const file = await bridge.until('a document', ({ messages }) => messages.find((message) => message.file));
    const sha256 = createHash('sha256').update('Hello').digest('hex');
    expect(file).toMatchObject({ method: 'sendDocument', file: { filename: 'hello.md', sha256 } });
    await telegram.say(ada, `say ${'long words and more of them. '.repeat(400)}`);
    const long = await bridge.until('all of it', ({ messages }) => {
      const found = messages.filter(({ text }) => text.includes('long words'));
      return found.map(({ text }) => text).join(' ').length >= 400 * 29 - 4 && found;
    });
    expect(long).toHaveLength(4);
    expect((await telegram.look()).actions.length).toBeGreaterThan(0);
  });

  it('receives an album as one message with all its files, despite interleaved updates and crashes', async () => {
    await using bridge = await BridgeUnderTest.start(shape, { ERRAND_LEASE_TTL_MS: '3000' });
    const { telegram, deployment } = bridge;
    await bridge.link();
    const names = ['one', 'two', 'three'];
    for (const name of names) await telegram.addFile(name, Buffer.from(`this is ${name}`));
    const part = (name: string, caption?: string) => ({
      media_group_id: '13579',
      document: { file_id: name, file_name: `${name}.txt`, mime_type: 'text/plain', file_size: 12 },
      ...(caption !== undefined && { caption }),
    });
    await telegram.say(ada, part('one', 'read attachments/three.txt'));
    await telegram.say(stranger, 'hello');
    await telegram.say(ada, part('two'));
    await deployment.api.kill();
    await telegram.say(ada, part('three'));
    await deployment.api.restart();
    await bridge.untilSaid(ada, /this is three/);
    await telegram.say(ada, 'say after the album');
    await bridge.untilSaid(ada, /after the album/);
    const said = (await deployment.client.listEvents(main)).flatMap(({ user_message: message }) =>
      message === undefined ? [] : [message as { attachments: Json[] }],
    );
    const withFiles = said.map(({ attachments }) => attachments.map(({ filename }) => filename));
    expect(withFiles.filter((files) => files.length > 0)).toEqual([names.map((name) => `${name}.txt`)]);
    await bridge.until('nothing is left', ({ openUpdates }) => openUpdates === 0);
  });

  it('asks with buttons that are answered in place, from wherever the answer comes', async () => {
    await using bridge = await BridgeUnderTest.startLocal(shape);
    const { telegram, deployment } = bridge;
    await bridge.link();
    const findAsked = (count: number) =>
      bridge.until('buttons', ({ messages }) => {
        const asked = messages.filter(({ text }) => text.startsWith('Which colour?'));
        return asked.length === count && asked.at(-1)?.buttons.length === 2 && asked.at(-1);
      });
    const untilButtons = (messageId: number, texts: string[]) =>
      bridge.until(`buttons ${texts.join()}`, ({ messages }) => {
        const now = messages.find(({ message_id: id }) => id === messageId)?.buttons.map(({ text }) => text);
        return JSON.stringify(now) === JSON.stringify(texts);
      });
    await telegram.say(ada, askColour);
    const first = await findAsked(1);
    expect(first.buttons.map(({ text }) => text)).toEqual(['red & <b>', 'blue']);
    await telegram.press(stranger, first.message_id, first.buttons[0]?.callback_data ?? '');
    await telegram.press(ada, first.message_id, 'a1.0');
    await telegram.press(ada, first.message_id, first.buttons[0]?.callback_data ?? '');
    await untilButtons(first.message_id, ['✓ red & <b>']);
    await bridge.untilSaid(ada, /The scenario is over: 1 tool calls, 0 failed/);
    await telegram.press(ada, first.message_id, first.buttons[1]?.callback_data ?? '');
    await bridge.until('late', ({ answers }) => answers.some(({ text }) => text === 'This was already decided.'));
    await telegram.say(ada, askColour);
    const second = await findAsked(2);
    await deployment.client.ask('task.sendMessage', { task_id: main, message: { content: 'green' } });
    await untilButtons(second.message_id, ['✓ Decided']);
    const risky = scenario({ calls: [{ tool: 'run_shell', input: { command: 'rm -rf /memory/nothing' } }] });
    await telegram.say(ada, risky);
    const asked = await bridge.until('a confirmation', ({ messages }) => messages.find(({ buttons }) => buttons.length === 3));
    expect(asked.buttons.map(({ text }) => text)).toEqual(['Allow', 'Always allow', 'Deny']);
    await telegram.press(ada, asked.message_id, asked.buttons[2]?.callback_data ?? '');
    await untilButtons(asked.message_id, ['✗ Denied']);
    await eventually('the task ends', async () => ((await deployment.client.statusOf(main)) === 'stopped' ? true : null));
    await telegram.say(ada, askColour);
    await findAsked(3);
    await telegram.say(ada, '/stop');
    await bridge.untilSaid(ada, 'Stopped.');
    await telegram.say(ada, 'stop');
    await bridge.untilSaid(ada, 'Nothing is running.');
    await telegram.say(ada, '/unlink');
    await bridge.untilSaid(ada, 'This chat is no longer linked.');
    expect((await bridge.command('bridge', 'list')).data).toEqual([]);
    const audit = (await bridge.command('audit', 'list')).data as Json[];
    expect(audit.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['chat_linked', 'chat_unlinked']));
  });
});
