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

/** The workspace of the bot, and of the people who write to it. */
export const workspace = 'T1';

/** A message as Slack returns it: it marks addresses as links. */
function showMessage({ ts, text, blocks }: SlackMessage): Json {
  const marked = text.replaceAll(/(?<![<|])https?:\/\/[^\s>|]+/g, '<$&>');
  return { type: 'message', user: 'UBOT', bot_id: 'B1', app_id: 'A1', team: workspace, ts, text: marked, blocks };
}

/** The `block_actions` payload of a pressed button (docs.slack.dev/reference/interaction-payloads/block_actions-payload). */
function writePress(user: string, message: SlackMessage, at: number, time: number): Json {
  const { channel, ts, blocks } = message;
  const button = blocks.flatMap(({ elements = [] }) => elements)[at];
  const action = { type: 'button', block_id: 'Xq3/D', ...button, action_ts: `1700005000.${String(time).padStart(6, '0')}` };
  return {
    type: 'block_actions',
    user: { id: user, username: user.toLowerCase(), name: user.toLowerCase(), team_id: workspace },
    api_app_id: 'A1',
    token: 'a-verification-token-that-nobody-should-use',
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    trigger_id: '1700.1700.abc',
    team: { id: workspace, domain: 'example' },
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: channel, name: 'directmessage' },
    message: showMessage(message),
    state: { values: {} },
    response_url: 'https://hooks.slack.com/actions/T1/1700/abc',
    actions: [action],
  };
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

  /** Presses a button of a message, as often as `time` differs. */
  press(
    user: string,
    message: SlackMessage,
    at: number,
    { time = 1, ...facts }: Json & { time?: number } = {},
  ): Promise<SlackSeen> {
    return this.control('post', { type: 'interactive', payload: { ...writePress(user, message, at, time), ...facts } });
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}
