import type { Clock } from '@errand/base/clock.ts';
import { newId, randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { nameBrowser } from '../../../rules/accounts/browser-name.ts';
import type { Database } from '../../../store/db/database.ts';
import {
  createSession,
  type CreateSessionArgs,
  endSession,
  findSession,
  type Session,
  type SessionPlace,
} from '../../../store/accounts/sessions.ts';
import { type CookieJar, createCookieJar } from '../../request/cookies.ts';
import { formTokenOf } from './form-guard.ts';
import type { WebRequest } from '../../request/web-request.ts';

/** A signed-in user, with the token for forms on the page. */
export interface Visitor extends Session {
  cookie: string;
  formToken: string;
}

const cookieForm = /^([0-9A-Za-z]{22})([0-9A-Za-z]{22})([0-9A-Za-z]{43})$/;

/** The storage key of the session in a cookie, or null for a malformed one. */
function placeOfSession(cookie: string): SessionPlace | null {
  const [, accountId, sessionId] = cookieForm.exec(cookie) ?? [];
  return accountId !== undefined && sessionId !== undefined ? { accountId, sessionId } : null;
}

/** The session of a cookie, or null for an unknown, ended or expired one. */
export async function searchSession(database: Database, clock: Clock, cookie: string): Promise<Session | null> {
  const place = placeOfSession(cookie);
  const session = place && (await database.run(findSession, { ...place, digest: digestSecret(cookie) }));
  return session && session.expiresAtMs > clock.now() ? session : null;
}

/** The browser and IP address of a sign-in, for the security log. */
export function describeVisit({ headers, remoteAddress }: Pick<WebRequest, 'headers' | 'remoteAddress'>): Record<string, string> {
  const browser = nameBrowser(headers['user-agent']);
  return { from: remoteAddress, ...(browser !== null && { browser }) };
}

export interface SessionServiceParts {
  database: Database;
  clock: Clock;
  publicUrl(): string;
  signIn: { sessionMs: number };
}

/** A session that is not stored yet. */
export interface NewSession {
  session: CreateSessionArgs;
  setCookie: string[];
}

/** Creates and ends browser sessions. */
export class SessionService {
  readonly #parts: SessionServiceParts;

  constructor(parts: SessionServiceParts) {
    this.#parts = parts;
  }

  get jar(): CookieJar {
    return createCookieJar(this.#parts.publicUrl());
  }

  /** The signed-in user of a request, or null; users of disabled accounts are signed out as long. */
  async find({ headers }: Pick<WebRequest, 'headers'>): Promise<Visitor | null> {
    const cookie = this.jar.read(headers.cookie, 'errand_session');
    if (cookie === null) return null;
    const session = await searchSession(this.#parts.database, this.#parts.clock, cookie);
    return session?.status === 'active' ? { ...session, cookie, formToken: formTokenOf(cookie) } : null;
  }

  /** A new session, to be stored by the caller, and the cookies to set then. */
  prepare({ headers, remoteAddress }: Pick<WebRequest, 'headers' | 'remoteAddress'>, accountId: string): NewSession {
    const { clock, signIn } = this.#parts;
    const now = clock.now();
    const sessionId = newId(now);
    const cookie = `${accountId}${sessionId}${randomBase62(43)}`;
    const browser = nameBrowser(headers['user-agent']);
    const place = { accountId, sessionId, digest: digestSecret(cookie), browser, address: remoteAddress };
    return {
      session: { ...place, now, expiresAtMs: now + signIn.sessionMs },
      setCookie: [this.jar.write('errand_session', cookie, signIn.sessionMs / 1000), this.jar.remove('errand_form')],
    };
  }

  /** Ends the session of the browser that signs in anew, whosever it was: this prevents session fixation. */
  async endPrevious({ visitor }: { visitor: Visitor | null }): Promise<void> {
    if (!visitor) return;
    await this.#parts.database.run(endSession, { accountId: visitor.accountId, sessionId: visitor.sessionId });
  }

  /** Signs an account in without a second step and returns the cookies to set. Always creates a new session. */
  async begin(
    request: Pick<WebRequest, 'headers' | 'remoteAddress'> & { visitor: Visitor | null },
    accountId: string,
  ): Promise<string[]> {
    await this.endPrevious(request);
    const { session, setCookie } = this.prepare(request, accountId);
    await this.#parts.database.run(createSession, session);
    return setCookie;
  }

  /** The form secret of a signed-out browser, with the cookie to set if it is new. */
  anonymousSecret({ headers }: Pick<WebRequest, 'headers'>): { secret: string; setCookie: string[] } {
    const known = this.jar.read(headers.cookie, 'errand_form');
    if (known !== null && /^[0-9A-Za-z]{43}$/.test(known)) return { secret: known, setCookie: [] };
    const secret = randomBase62(43);
    return { secret, setCookie: [this.jar.write('errand_form', secret)] };
  }
}
