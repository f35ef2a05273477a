import { type Clock } from '@errand/base/clock.ts';
import { ChatFault } from '../platform/chat-platform.ts';
import { callWeb, readJson, type PlatformApiParts } from '../platform/platform-call.ts';

export interface TelegramApiParts extends PlatformApiParts {
  clock: Clock;
  token: string;
}

const timeoutMs = 30_000;
const uploadMs = 120_000;
const answerBytes = 4 * 1024 * 1024;

interface TelegramReply {
  ok?: unknown;
  result?: unknown;
  error_code?: unknown;
  description?: unknown;
  parameters?: { retry_after?: unknown };
}

function classify({ error_code: code, description, parameters }: TelegramReply, status: number): ChatFault {
  const number = typeof code === 'number' ? code : status;
  const problem = typeof description === 'string' ? description : `status ${status}`;
  const seconds = Number(parameters?.retry_after);
  if (number === 429) return new ChatFault('wait', problem, seconds > 0 ? seconds * 1000 : 5000);
  if (number === 401 || number === 404) return new ChatFault('denied', problem);
  if (number === 403 || /chat not found|user is deactivated/i.test(problem)) return new ChatFault('gone', problem);
  if (number === 409 || number >= 500) return new ChatFault('away', problem);
  return new ChatFault('refused', problem);
}

/** The Bot API of Telegram. Every URL contains the token, so URLs are never logged. */
export class TelegramApi {
  readonly #parts: TelegramApiParts;

  constructor(parts: TelegramApiParts) {
    this.#parts = parts;
  }

  async #ask(
    method: string,
    body: Buffer | string,
    contentType: string,
    totalMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { baseUrl, token } = this.#parts;
    const reply = await callWeb(this.#parts, {
      url: `${baseUrl}/bot${token}/${method}`,
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
      totalMs,
      maxBytes: answerBytes,
      ...(signal && { signal }),
    });
    const answered: TelegramReply = readJson(reply);
    if (answered.ok === true) return answered.result;
    throw classify(answered, reply.status);
  }

  call(method: string, input: Record<string, unknown>, signal?: AbortSignal, totalMs = timeoutMs): Promise<unknown> {
    return this.#ask(method, JSON.stringify(input), 'application/json', totalMs, signal);
  }

  send(method: string, form: { body: Buffer; contentType: string }, signal: AbortSignal): Promise<unknown> {
    return this.#ask(method, form.body, form.contentType, uploadMs, signal);
  }

  /** The bytes of a file by its id. */
  async fetchFile(fileId: string, maxBytes: number): Promise<Buffer> {
    const { baseUrl, token } = this.#parts;
    const found = (await this.call('getFile', { file_id: fileId })) as { file_path?: unknown } | null;
    const path = found?.file_path;
    if (typeof path !== 'string' || !/^[\w./-]{1,500}$/.test(path) || path.includes('..')) {
      throw new ChatFault('refused', 'the file has no path');
    }
    const url = `${baseUrl}/file/bot${token}/${path}`;
    const reply = await callWeb(this.#parts, { url, method: 'GET', totalMs: uploadMs, maxBytes: maxBytes + 1 });
    if (reply.status === 200) return reply.body;
    throw new ChatFault(reply.status >= 500 || reply.status === 429 ? 'away' : 'refused', `the file answers ${reply.status}`);
  }
}
