import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Failure, SentMessage } from './telegram-chats.ts';

type Json = Record<string, unknown>;

export interface Seen {
  messages: SentMessage[];
  answers: { id: string; text: string }[];
  actions: string[];
  calls: string[];
  openUpdates: number;
}

/** A person with a phone. */
export interface Person {
  id: number;
  username: string;
}

let lastMessageId = 5000;

/** Telegram in a separate process, and the people who talk to the bot. */
export class TelegramServer {
  readonly url: string;
  readonly token: string;
  readonly #stop: () => Promise<void>;

  private constructor(url: string, token: string, stop: () => Promise<void>) {
    this.url = url;
    this.token = token;
    this.#stop = stop;
  }

  static async start(): Promise<TelegramServer> {
    const entry = fileURLToPath(new URL('./telegram-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--no-warnings', entry], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { port, token } = JSON.parse(line) as { port: number; token: string };
    const stop = async () => {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    };
    return new TelegramServer(`http://127.0.0.1:${port}`, token, stop);
  }

  /** Settings of a service that uses it. */
  get env(): Record<string, string> {
    return { ERRAND_TELEGRAM_BOT_TOKEN: this.token, ERRAND_TELEGRAM_API_URL: this.url };
  }

  async #control<Reply>(path: string, body: Json = {}): Promise<Reply> {
    const response = await fetch(`${this.url}/control/${path}`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as Reply;
  }

  /** A raw update; for what no real client would send. */
  add(update: Json): Promise<{ update_id: number }> {
    return this.#control('add', update);
  }

  say({ id, username }: Person, content: string | Json, chat: Json = { id, type: 'private' }): Promise<{ update_id: number }> {
    const said = typeof content === 'string' ? { text: content } : content;
    lastMessageId += 1;
    const from = { id, is_bot: false, first_name: username, username, language_code: 'en' };
    return this.add({ message: { message_id: lastMessageId, date: 0, from, chat, ...said } });
  }

  press({ id, username }: Person, messageId: number, data: string): Promise<{ update_id: number }> {
    const from = { id, is_bot: false, first_name: username, username };
    const message = { message_id: messageId, chat: { id, type: 'private' } };
    return this.add({ callback_query: { id: `press-${messageId}-${data}`, from, message, data } });
  }

  async addFile(id: string, bytes: Buffer): Promise<void> {
    await this.#control('file', { id, base64: bytes.toString('base64') });
  }

  async fail(...failures: Failure[]): Promise<void> {
    await this.#control('fail', { failures });
  }

  look(): Promise<Seen> {
    return this.#control('look');
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}
