import { systemClock } from '@errand/base/clock.ts';
import { CliUnderTest } from '../cli/cli-under-test.ts';
import type { AnyDeployment } from '../service/deployment.ts';
import { eventually, type Json } from '../service/service-client.ts';
import { type SlackMessage, type SlackSeen, SlackServer } from './slack-server.ts';

/** Shorter than a test's timeout, so that the error names what it waited for. */
const timeoutMs = 230_000;
/** The person whose chat is linked, and a stranger. */
export const [ada, mallory] = ['UADA', 'UMALLORY'] as const;

/** A service with a Slack bot. */
export class SlackUnderTest<Kind extends AnyDeployment> {
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

  untilSaid(text: string | RegExp, user: string = ada): Promise<SlackMessage> {
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

/** What the buttons of a message say, or the outcome in their place. */
export function labelsOf({ blocks }: SlackMessage): string[] {
  const elements = blocks.flatMap((block) => block.elements ?? []);
  return elements.map(({ text }) => (typeof text === 'string' ? text : text.text));
}
