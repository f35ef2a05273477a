import type { IncomingMessage } from 'node:http';
import { systemClock } from '@errand/base/clock.ts';
import { LocalHints } from '@errand/base/signals/hints.ts';
import { newApiKey, newId, randomBase62 } from '@errand/base/ids.ts';
import { type AuthenticateParts, authenticatePublic } from '../../src/http/authentication/authenticate.ts';
import { CredentialOwners } from '../../src/http/authentication/credential-owners.ts';
import { checkAccess } from '../../src/rules/accounts/access.ts';
import { formatAccessToken } from '../../src/rules/oauth/oauth-token.ts';
import type { Measure, Taken } from './measure.ts';
import { revokeSome } from './revocations.ts';
import { quantile } from '../report/statistics.ts';

/** Checks whose time is taken together, so that the clock costs nothing. */
const perLap = 100;

const account = { accountId: newId(1), plan: 'pro' as const, locale: 'en', status: 'active' as const };

function remember<Owner>(owner: Owner): CredentialOwners<Owner> {
  return new CredentialOwners(new LocalHints(), systemClock, () => Promise.resolve(owner));
}

/** The checks of the public server, with owners as the store answers them. */
function buildParts(): AuthenticateParts {
  const place = { clientId: newId(1), grantId: newId(1) };
  const via = { kind: 'oauth' as const, ...place, scopes: ['create_task' as const], trusted: null, connectors: [] };
  const session = {
    ...account,
    sessionId: newId(1),
    email: 'a@example.com',
    createdAtMs: 1,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    isInstanceOwner: false,
  };
  const idle = { note: () => undefined, flush: () => Promise.resolve() };
  return {
    taskTokens: remember(null as never),
    now: () => 1,
    instanceKeys: remember({ keyId: newId(1) }),
    keys: remember({ ...account, keyId: newId(1), scope: 'everything' as const, expiresAtMs: null }),
    tokens: remember({ ...account, via }),
    sessions: remember(session),
    use: { keys: idle, instanceKeys: idle, sessions: idle } as unknown as AuthenticateParts['use'],
    families: ['service', 'manus'],
    publicUrl: () => 'http://localhost:7070',
    visitorOf: () => '127.0.0.1',
  };
}

/** Microseconds of one check, lap by lap: reading the header, the digest, the owner, and the rule of the operation. */
async function timeChecks(headers: Record<string, string>, count: number): Promise<number[]> {
  const authenticate = authenticatePublic(buildParts());
  const request = { headers, method: 'GET', url: '/v2/task.list' } as unknown as IncomingMessage;
  const laps: number[] = [];
  for (let done = 0; done < count; done += perLap) {
    // What is found is trusted for half a second; the look-up after that is the store's time.
    await authenticate(request);
    const before = performance.now();
    for (let each = 0; each < perLap; each++) {
      const caller = authenticate(request);
      if (caller instanceof Promise) await caller;
      else checkAccess(caller.principal, { access: 'tasks', method: 'GET' });
    }
    laps.push(((performance.now() - before) * 1000) / perLap);
  }
  return laps;
}

async function takeChecks(name: string, headers: Record<string, string>, count: number): Promise<Taken> {
  await timeChecks(headers, count / 10);
  const laps = await timeChecks(headers, count);
  return { name, value: quantile(laps, 0.5), unit: 'µs', note: `p99 ${quantile(laps, 0.99).toFixed(1)} µs; ${count} checks` };
}

export const credentials: Measure = {
  name: 'credentials',
  about: 'the whole check of a known key or token, and how long a revoked one goes on; on PostgreSQL at two processes',
  async take(bed) {
    const { checks } = bed.sizes;
    const place = { accountId: account.accountId, grantId: newId(1) };
    const token = formatAccessToken(place, randomBase62(43));
    return [
      await takeChecks('check of an API key, warm', { 'x-service-api-key': newApiKey() }, checks),
      await takeChecks('check of an access token, warm', { authorization: `Bearer ${token}` }, checks),
      await revokeSome(bed),
    ];
  },
};
