import type { Clock } from '@errand/base/clock.ts';
import type { Database } from '../../../store/db/database.ts';
import { createCookieJar } from '../../request/cookies.ts';
import type { PageHandler } from './page-request.ts';
import { searchSession, type SessionService } from './session-service.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import { textsFor } from '../layout/page-texts.ts';
import type { Handler, WebRequest } from '../../request/web-request.ts';

/** A page handler, which receives the user and the texts of their language. */
export function forPeople(sessions: SessionService, handle: PageHandler): Handler {
  return async (request) => {
    const visitor = await sessions.find(request);
    return handle({ ...request, visitor, texts: textsFor(visitor, request.headers) });
  };
}

export interface VisitorSearch {
  database: Database;
  clock: Clock;
  publicUrl(): string;
}

/** The texts for an error page; those of the browser's language when the account cannot be read. */
export async function findTexts(
  { database, clock, publicUrl }: VisitorSearch,
  { headers }: Pick<WebRequest, 'headers'>,
): Promise<Texts> {
  const cookie = createCookieJar(publicUrl()).read(headers.cookie, 'errand_session');
  const session = cookie === null ? null : await searchSession(database, clock, cookie).catch(() => null);
  return textsFor(session, headers);
}
