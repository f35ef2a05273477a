import { systemClock } from '@errand/base/clock.ts';
import { CliUnderTest } from '../cli/cli-under-test.ts';
import { type AnyDeployment, Deployment, LocalDeployment, type Shape } from '../service/deployment.ts';
import { eventually } from '../service/service-client.ts';
import type { SentMessage } from './telegram-chats.ts';
import { type Person, type Seen, TelegramServer } from './telegram-server.ts';

export const ada: Person = { id: 1001, username: 'ada' };
export const stranger: Person = { id: 2002, username: 'mallory' };
export const main = 'agent-default-main_task';

/** Shorter than a test's timeout, so that the error names what it waited for. */
const timeoutMs = 230_000;

/** A service with a Telegram bot, and Ada with her phone. */
export class BridgeUnderTest<Kind extends AnyDeployment> {
  readonly telegram: TelegramServer;
  readonly deployment: Kind;
  readonly #cli = new CliUnderTest();

  private constructor(telegram: TelegramServer, deployment: Kind) {
    this.telegram = telegram;
    this.deployment = deployment;
  }

  /** Inside this process. */
  static async startLocal(shape: 'sqlite' | 'postgres'): Promise<BridgeUnderTest<LocalDeployment>> {
    const telegram = await TelegramServer.start();
    return new BridgeUnderTest(telegram, await LocalDeployment.start(shape, { env: telegram.env }));
  }

  /** Starts the bridge in processes of its own, which can be killed. */
  static async start(shape: Shape, env: Record<string, string> = {}): Promise<BridgeUnderTest<Deployment>> {
    const telegram = await TelegramServer.start();
    return new BridgeUnderTest(telegram, await Deployment.start(shape, { env: { ...telegram.env, ...env } }));
  }

  /** The output of a command with `--json`. */
  async command(...argv: string[]): Promise<Record<string, unknown>> {
    const { stdout } = await this.#cli.run([...argv, '--json'], this.deployment.commandEnv);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  async makeCode(): Promise<string> {
    return String((await this.command('bridge', 'link')).code);
  }

  /** The first matching record of Telegram. */
  async until<Value>(what: string, look: (seen: Seen) => Value | undefined | false): Promise<Value> {
    const startedAt = systemClock.monotonic();
    return eventually(what, async () => {
      const seen = await this.telegram.look();
      const value = look(seen) || null;
      if (value !== null || systemClock.monotonic() - startedAt < timeoutMs) return value;
      const texts = seen.messages.slice(-5).map(({ text, file, buttons }) => ({ text: text.slice(0, 200), file, buttons }));
      throw new Error(`waited in vain: ${what}; the last were ${JSON.stringify(texts)}`);
    });
  }

  /** What is in a person's chat, oldest first. */
  async chatOf({ id }: Person): Promise<SentMessage[]> {
    return (await this.telegram.look()).messages.filter(({ chat }) => chat === String(id));
  }

  untilSaid({ id }: Person, text: string | RegExp): Promise<SentMessage> {
    const isIt = (message: SentMessage) => (typeof text === 'string' ? message.text === text : text.test(message.text));
    return this.until(`"${String(text)}" in the chat`, ({ messages }) =>
      messages.find((message) => message.chat === String(id) && isIt(message)),
    );
  }

  /** Links Ada's chat to the first account. */
  async link(): Promise<void> {
    await this.until('the bot listens', ({ calls }) => calls.includes('getUpdates'));
    await this.telegram.say(ada, `/start ${await this.makeCode()}`);
    await this.untilSaid(ada, /^This chat is now linked to/);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.deployment.close();
    await this.telegram.stop();
  }
}
