import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { type AnyDeployment, Deployment, LocalDeployment } from '../support/service/deployment.ts';
import { eventually, type Json } from '../support/service/service-client.ts';
import { type SlackMessage, type SlackSeen, SlackServer } from '../support/bridges/slack-server.ts';

const shapes = ['sqlite', 'postgres'] as const;
/** Shorter than a test's timeout, so that the error names what it waited for. */
const timeoutMs = 230_000;
const main = 'agent-default-main_task';
const [ada, mallory] = ['UADA', 'UMALLORY'];

class SlackUnderTest<Kind extends AnyDeployment> {
  readonly slack: SlackServer;
  readonly deployment: Kind;
  readonly #cli = new CliUnderTest();

  private constructor(slack: SlackServer, deployment: Kind) {
    this.slack = slack;
    this.deployment = deployment;
  }

  static async start<Kind extends AnyDeployment>(
    startService: (env: Record<string, string>) => Promise<Kind>,
  ): Promise<SlackUnderTest<Kind>> {
    const slack = await SlackServer.start();
    const under = new SlackUnderTest(slack, await startService({ ...slack.env, ERRAND_LEASE_TTL_MS: '3000' }));
    await under.until('a connection', ({ connections }) => connections > 0);
    return under;
  }

  async until<Value>(what: string, look: (seen: SlackSeen) => Value | undefined | false): Promise<Value> {
    const startedAt = systemClock.monotonic();
    return eventually(what, async () => {
      const seen = await this.slack.control('look');
      const value = look(seen) || null;
      if (value === null && systemClock.monotonic() - startedAt > timeoutMs)
        throw new Error(`waited in vain: ${what}: ${JSON.stringify(seen).slice(-1500)}`);
      return value;
    });
  }

  untilSaid(text: string | RegExp, user = ada): Promise<SlackMessage> {
    const isIt = ({ channel, text: said }: SlackMessage) =>
      channel === `D${user}` && (typeof text === 'string' ? said === text : text.test(said));
    return this.until(`"${String(text)}" in the chat`, ({ messages }) => messages.find(isIt));
  }

  async link(): Promise<void> {
    const { stdout } = await this.#cli.run(['bridge', 'link', '--json'], this.deployment.commandEnv);
    await this.slack.say(ada, `link ${String((JSON.parse(stdout) as Json).code)}`);
    await this.untilSaid(/^This chat is now linked to/);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.deployment.close();
    await this.slack.stop();
  }
}

function labelsOf({ blocks }: SlackMessage): string[] {
  const elements = blocks.flatMap((block) => block.elements ?? []);
  return elements.map(({ text }) => (typeof text === 'string' ? text : text.text));
}

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
    const value = asked.blocks.flatMap((block) => block.elements ?? [])[1]?.value ?? '';
    await slack.press(mallory, value);
    await slack.press(ada, value);
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
