import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Deployment, LocalDeployment } from '../support/service/deployment.ts';
import { eventually, type Json } from '../support/service/service-client.ts';
import { ada, labelsOf, mallory, SlackUnderTest } from '../support/bridges/slack-under-test.ts';

const shapes = ['sqlite', 'postgres'] as const;
const main = 'agent-default-main_task';

describe.each(shapes)('a Slack bot on %s', (shape) => {
  it('transmits text, files, questions and answers, each once', async () => {
    await using under = await SlackUnderTest.start((env) => LocalDeployment.start(shape, { env }));
    const { slack, deployment } = under;
    await slack.say(mallory, 'say hello');
    await slack.say(mallory, 'say hello again');
    await slack.say(mallory, { text: 'say in a channel', channel_type: 'channel' }, 'C1');
    await under.link();
    const { ts } = await slack.say(ada, 'say **Bold** &lt;tag&gt; &amp; <https://example.com/|example>');
    await under.untilSaid('*Bold* &lt;tag&gt; &amp; https://example.com/');
    expect((await slack.control('look')).reactions).toContain(ts);
    // The same event in another envelope, as after a lost acknowledgement.
    const event = {
      type: 'message',
      channel_type: 'im',
      user: ada,
      channel: `D${ada}`,
      text: 'say twice',
      ts: '1700009999.000100',
    };
    for (let time = 0; time < 2; time += 1) await slack.control('post', { type: 'events_api', payload: { event } });
    await under.untilSaid('twice');
    await slack.control('file', { id: 'notes.txt', base64: Buffer.from('beans and peas').toString('base64') });
    const file = { id: 'F9', name: 'notes.txt', mimetype: 'text/plain', size: 14 };
    const said = { text: 'read attachments/notes.txt', subtype: 'file_share' };
    await slack.say(ada, { ...said, files: [{ ...file, url_private_download: `${slack.url}/files/notes.txt` }] });
    await under.untilSaid(/beans and peas/);
    await slack.say(ada, { ...said, text: '', files: [{ ...file, url_private_download: 'https://evil.example/notes.txt' }] });
    await under.untilSaid('Couldn’t download notes.txt. Send it again.');
    await slack.say(ada, 'write hello.md with Hello');
    const sent = await under.until('a file', ({ messages }) => messages.find((message) => message.file));
    expect(sent.file).toEqual({ filename: 'hello.md', bytes: 5, sha256: createHash('sha256').update('Hello').digest('hex') });
    const input = { question: 'Which colour?', suggestions: ['red', 'blue'] };
    await slack.say(ada, `\`\`\`scenario\n${JSON.stringify([{ calls: [{ tool: 'ask_user', input }] }])}\n\`\`\``);
    const untilLabels = (labels: string[]) =>
      under.until(labels.join(), ({ messages }) =>
        messages.find((message) => message.text.startsWith('Which colour?') && labelsOf(message).join() === labels.join()),
      );
    const asked = await untilLabels(['red', 'blue']);
    await slack.press(mallory, asked, 1);
    await slack.press(ada, asked, 1);
    await untilLabels(['✓ blue']);
    await under.untilSaid(/The scenario is over/);
    const users = (await deployment.client.listEvents(main)).filter(({ type }) => type === 'user_message');
    expect(users.filter(({ user_message: one }) => (one as Json).content === 'say twice')).toHaveLength(1);
    await eventually('all is acknowledged', async () => ((await slack.control('look')).openEnvelopes === 0 ? true : null));
    const { messages } = await slack.control('look');
    expect(messages.filter(({ channel }) => channel === `D${mallory}`)).toHaveLength(1);
    expect(messages.filter(({ channel }) => channel === 'C1')).toEqual([]);
    const lines = deployment.service.lines.map(({ text }) => text).join('\n');
    expect(lines).not.toMatch(/xoxb-|xapp-/);
  });

  it('receives messages sent while it was down, and recovers from kill -9, lost connections, and refusals', async () => {
    await using under = await SlackUnderTest.start((env) => Deployment.start(shape, { env }));
    const { slack, deployment } = under;
    await under.link();
    await slack.control('disconnect');
    await slack.say(ada, 'say after a change of connections');
    await under.untilSaid('after a change of connections');
    await deployment.api.kill();
    await slack.say(ada, { text: 'say untold', isUntold: true });
    await slack.say(ada, 'say told again');
    const fail = { method: 'chat.postMessage', status: 429, body: { ok: false, error: 'ratelimited' }, times: 2 };
    await slack.control('fail', { failures: [fail, { ...fail, method: 'apps.connections.open', status: 500, times: 1 }] });
    await deployment.api.restart();
    await under.untilSaid(/told again$/);
    await under.untilSaid(/^untold/);
    await slack.control('cut');
    await slack.say(ada, 'say cut');
    await under.untilSaid('cut');
    const events = await deployment.client.listEvents(main);
    const said = events.flatMap(({ user_message: one }) => (one as Json | undefined)?.content ?? []);
    expect(said).toEqual(['say after a change of connections', 'say untold', 'say told again', 'say cut']);
  });
});
