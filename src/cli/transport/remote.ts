import type { Clock, Timer } from '@errand/base/clock.ts';
import { CommandFault } from '../exit-code.ts';
import type { Credential } from './credential.ts';
import { ConnectionLost, formatTarget, parseJson, StreamRefused, type Transport, type WireRequest } from './transport.ts';

/** Time limit for a whole response, and between two chunks of a stream, whose heartbeats count. */
const idleTimeoutMs = 60_000;

/** An AbortSignal that aborts unless it is restarted in time. */
class IdleTimeout {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(() => this.#controller.abort(new Error('no response for a minute')), idleTimeoutMs);
  }

  end(): void {
    this.#timer?.cancel();
  }
}

function explain(error: unknown, url: string): Error {
  if (error instanceof CommandFault || error instanceof ConnectionLost || error instanceof StreamRefused) return error;
  const { cause, message } = error as Error;
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
  return new ConnectionLost(`cannot reach ${url}: ${reason}`, { cause: error });
}

/** The service at a URL, as any client reaches it: over HTTP, with an API key or a token. */
export function openRemote(url: string, credential: Credential, clock: Clock): Transport {
  async function askWith(headers: Record<string, string>, request: WireRequest, signal: AbortSignal): Promise<Response> {
    const isPost = request.method === 'POST';
    return fetch(url + formatTarget(request), {
      method: request.method,
      headers: { ...headers, ...(isPost && { 'content-type': 'application/json' }) },
      ...(isPost && { body: JSON.stringify(request.body ?? {}) }),
      // A redirect would carry the credential to another host.
      redirect: 'error',
      signal,
    });
  }

  async function ask(request: WireRequest, signal: AbortSignal): Promise<Response> {
    const headers = await credential.headers();
    const response = await askWith(headers, request, signal);
    if (response.status !== 401 || !(await credential.renew(headers))) return response;
    await response.body?.cancel();
    return askWith(await credential.headers(), request, signal);
  }

  return {
    kind: 'remote',
    async send(request) {
      const timeout = new IdleTimeout(clock);
      try {
        const response = await ask(request, timeout.signal);
        return { status: response.status, body: parseJson(await response.text()) };
      } catch (error) {
        throw explain(error, url);
      } finally {
        timeout.end();
      }
    },
    async *stream(request, signal) {
      const timeout = new IdleTimeout(clock);
      try {
        const response = await ask(request, AbortSignal.any([signal, timeout.signal]));
        if (response.status !== 200) throw new StreamRefused({ status: response.status, body: parseJson(await response.text()) });
        for await (const chunk of response.body ?? []) {
          timeout.restart();
          yield chunk;
        }
      } catch (error) {
        throw explain(error, url);
      } finally {
        timeout.end();
      }
    },
    async close() {},
  };
}
