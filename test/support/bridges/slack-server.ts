import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Json = Record<string, unknown>;

export interface SlackMessage {
  channel: string;
  ts: string;
  text: string;
  blocks: { type: string; elements?: { text: string | { text: string }; value?: string; action_id?: string }[] }[];
  file: { filename: string; bytes: number; sha256: string } | null;
}

export interface SlackSeen {
  messages: SlackMessage[];
  reactions: string[];
  calls: string[];
  openEnvelopes: number;
  connections: number;
}

/** Slack in a separate process, and the people who write to the bot. */
export class SlackServer {
  readonly url: string;
  readonly env: Record<string, string>;
  readonly #stop: () => Promise<void>;

  private constructor(url: string, env: Record<string, string>, stop: () => Promise<void>) {
    this.url = url;
    this.env = env;
    this.#stop = stop;
  }

  static async start(): Promise<SlackServer> {
    const entry = fileURLToPath(new URL('./slack-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--no-warnings', entry], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { port, botToken, appToken } = JSON.parse(line) as { port: number; botToken: string; appToken: string };
    const url = `http://127.0.0.1:${port}`;
    const env = { ERRAND_SLACK_BOT_TOKEN: botToken, ERRAND_SLACK_APP_TOKEN: appToken, ERRAND_SLACK_API_URL: `${url}/api` };
    const stop = async () => {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    };
    return new SlackServer(url, env, stop);
  }

  async control<Reply = SlackSeen>(path: string, body: Json = {}): Promise<Reply> {
    const response = await fetch(`${this.url}/control/${path}`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as Reply;
  }

  say(user: string, content: string | Json, channel = `D${user}`): Promise<{ ts: string }> {
    return this.control('say', { user, channel, ...(typeof content === 'string' ? { text: content } : content) });
  }

  press(user: string, value: string): Promise<SlackSeen> {
    const actions = [{ action_id: 'b0', value, action_ts: `${value}.1` }];
    const payload = { type: 'block_actions', user: { id: user }, channel: { id: `D${user}` }, actions };
    return this.control('post', { type: 'interactive', payload });
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}
