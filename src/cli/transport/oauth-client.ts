import { z } from 'zod';
import type { Clock } from '@errand/base/clock.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { CommandFault } from '../exit-code.ts';
import type { SignIn } from './sign-in-file.ts';
import { ConnectionLost, parseJson } from './transport.ts';

/** The OAuth client that every instance provides for the command line. */
const clientId = 'errand-cli';

/** Shorter than the time that the file may stay locked. */
const timeoutMs = 20_000;

const device = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string().optional(),
  expires_in: z.number().positive(),
  interval: z.number().positive().max(60).default(5),
});
export type DeviceStart = z.infer<typeof device>;

const tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number().positive(),
  scope: z.string().default(''),
});

const refusal = z.object({ error: z.string(), error_description: z.string().optional() });

/** A refusal of RFC 6749 or RFC 8628; `code` is its `error`. */
export class OauthRefusal extends CommandFault {}

/** Calls the authorization server of an instance. */
export class OauthClient {
  readonly #url: string;
  readonly #clock: Clock;

  constructor(url: string, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
  }

  async #post(path: string, fields: Record<string, string>): Promise<{ status: number; body: unknown }> {
    const timeout = new AbortController();
    const timer = this.#clock.setTimer(() => timeout.abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    try {
      const response = await fetch(this.#url + path, {
        method: 'POST',
        body: new URLSearchParams({ client_id: clientId, ...fields }),
        // A redirect would carry a token to another host.
        redirect: 'error',
        signal: timeout.signal,
      });
      return { status: response.status, body: parseJson(await response.text()) };
    } catch (error) {
      const { cause, message } = error as Error;
      throw new ConnectionLost(`cannot reach ${this.#url}: ${cause instanceof Error ? cause.message : message}`, {
        cause: error,
      });
    } finally {
      timer.cancel();
    }
  }

  async #ask<Answer extends z.ZodType>(path: string, fields: Record<string, string>, answer: Answer): Promise<z.output<Answer>> {
    const { status, body } = await this.#post(path, fields);
    const read = answer.safeParse(body);
    if (status === 200 && read.success) return read.data;
    const reported = refusal.safeParse(body);
    if (!reported.success) {
      throw new CommandFault(`${this.#url} answers with status ${status} and is not an Errand service that supports signing in`);
    }
    const { error, error_description: description = error } = reported.data;
    if (status === 429 || status >= 500) throw new ConnectionLost(cleanLine(description));
    throw new OauthRefusal(cleanLine(description), { code: error });
  }

  beginDevice(): Promise<DeviceStart> {
    return this.#ask('/oauth/device_authorization', {}, device);
  }

  /** Throws `OauthRefusal` with `authorization_pending` until the user has decided. */
  async exchangeDevice(deviceCode: string): Promise<SignIn> {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    return this.#exchange({ grant_type, device_code: deviceCode });
  }

  async refresh(refreshToken: string): Promise<SignIn> {
    return this.#exchange({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  async #exchange(fields: Record<string, string>): Promise<SignIn> {
    const now = this.#clock.now();
    const { expires_in: livesS, ...rest } = await this.#ask('/oauth/token', fields, tokens);
    return { ...rest, expires_at: Math.floor(now / 1000 + livesS) };
  }

  /** Revokes a refresh token and everything issued with it. */
  async revoke(refreshToken: string): Promise<void> {
    await this.#ask('/oauth/revoke', { token: refreshToken, token_type_hint: 'refresh_token' }, z.unknown());
  }
}
