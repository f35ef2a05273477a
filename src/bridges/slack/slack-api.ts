import { ChatFault } from '../platform/chat-platform.ts';
import { callWeb, readJson, type PlatformApiParts } from '../platform/platform-call.ts';

export interface SlackApiParts extends PlatformApiParts {
  botToken: string;
  appToken: string;
}

const timeoutMs = 30_000;
const uploadMs = 120_000;
const answerBytes = 4 * 1024 * 1024;

const denials = new Set(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired', 'missing_scope']);
const endings = new Set(['channel_not_found', 'is_archived', 'user_disabled', 'cannot_dm_bot', 'messages_tab_disabled']);
const troubles = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org']);

function classify(error: string, status: number): ChatFault {
  if (error === 'ratelimited') return new ChatFault('wait', error, 5000);
  if (denials.has(error)) return new ChatFault('denied', error);
  if (endings.has(error)) return new ChatFault('gone', error);
  return new ChatFault(troubles.has(error) || status >= 500 ? 'away' : 'refused', error);
}

/** The Web API of Slack. */
export class SlackApi {
  readonly #parts: SlackApiParts;

  constructor(parts: SlackApiParts) {
    this.#parts = parts;
  }

  async #ask(method: string, body: string, contentType: string, token: string, signal?: AbortSignal) {
    const reply = await callWeb(this.#parts, {
      url: `${this.#parts.baseUrl}/${method}`,
      method: 'POST',
      headers: { 'content-type': contentType, authorization: `Bearer ${token}` },
      body,
      totalMs: timeoutMs,
      maxBytes: answerBytes,
      ...(signal && { signal }),
    });
    if (reply.status === 429) {
      const seconds = Number(reply.headers['retry-after']);
      throw new ChatFault('wait', 'ratelimited', seconds > 0 ? seconds * 1000 : 5000);
    }
    const answered = readJson(reply);
    if (answered.ok === true) return answered;
    throw classify(typeof answered.error === 'string' ? answered.error : `status ${reply.status}`, reply.status);
  }

  call(method: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>> {
    return this.#ask(method, JSON.stringify(input), 'application/json; charset=utf-8', this.#parts.botToken, signal);
  }

  /** Calls a method that does not accept JSON, with a form. */
  callForm(method: string, input: Record<string, string>, signal?: AbortSignal): Promise<Record<string, unknown>> {
    const form = new URLSearchParams(input).toString();
    return this.#ask(method, form, 'application/x-www-form-urlencoded', this.#parts.botToken, signal);
  }

  /** Calls a method with the app-level token instead of the bot's. */
  callAsApp(method: string, signal: AbortSignal): Promise<Record<string, unknown>> {
    return this.#ask(method, '', 'application/x-www-form-urlencoded', this.#parts.appToken, signal);
  }

  /** Whether a URL is Slack's own, so that a token may be sent there. */
  isOwn(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const { protocol, hostname, host } = new URL(address);
    if (host === new URL(this.#parts.baseUrl).host) return true;
    return /^(https|wss):$/.test(protocol) && (hostname === 'slack.com' || hostname.endsWith('.slack.com'));
  }

  async upload(address: string, bytes: Buffer, signal: AbortSignal): Promise<void> {
    if (!this.isOwn(address)) throw new ChatFault('refused', 'the upload URL is not a Slack URL');
    const headers = { 'content-type': 'application/octet-stream' };
    const request = {
      url: address,
      method: 'POST',
      headers,
      body: bytes,
      totalMs: uploadMs,
      maxBytes: 64 * 1024,
      signal,
    } as const;
    const { status } = await callWeb(this.#parts, request);
    if (status === 429) throw new ChatFault('wait', 'ratelimited', 5000);
    if (status !== 200) throw new ChatFault(status >= 500 ? 'away' : 'refused', `the upload answers ${status}`);
  }

  async fetchFile(address: string, contentType: string | null, maxBytes: number): Promise<Buffer> {
    if (!this.isOwn(address)) throw new ChatFault('refused', 'the file is not on a server of Slack');
    const headers = { authorization: `Bearer ${this.#parts.botToken}` };
    const reply = await callWeb(this.#parts, { url: address, method: 'GET', headers, totalMs: uploadMs, maxBytes: maxBytes + 1 });
    // Without access to a file, Slack returns a sign-in page.
    const isPage = String(reply.headers['content-type']).startsWith('text/html') && contentType !== 'text/html';
    if (reply.status === 200 && !isPage) return reply.body;
    throw new ChatFault(reply.status >= 500 || reply.status === 429 ? 'away' : 'refused', `the file answers ${reply.status}`);
  }
}
