import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { Principal } from '../../rules/accounts/access.ts';
import { refuseAtRest } from '../../rules/accounts/account-status.ts';
import { placeOfToken } from '../../rules/oauth/oauth-token.ts';
import type { Database } from '../../store/db/database.ts';
import { findTokenOwner } from '../../store/oauth/oauth-grants.ts';

/**
 * Looks up the owner of an access token. Null for one that is unknown, expired, exchanged or revoked. Rejects with 401 for malformed
 * tokens, and if the application may now do more than its user consented to: a refresh would not help then; with 403 for a disabled account.
 */
export function createTokenSearch(database: Database, clock: Clock) {
  return async (digest: string, token: string) => {
    const place = placeOfToken('access', token);
    if (!place) throw new Fault('unauthenticated', 'invalid token: this is not an access token of this service');
    const owner = refuseAtRest(await database.run(findTokenOwner, { ...place, digest }));
    if (!owner || owner.expiresAtMs <= clock.now()) return null;
    if (owner.needsConsent) {
      const problem = 'reauthorization_required: the application may do more by now; its user has to consent again';
      throw new Fault('unauthenticated', problem);
    }
    const { accountId, plan, locale, clientId, grantId, scopes, trusted, connectors } = owner;
    const via: Principal['via'] & { kind: 'oauth' } = { kind: 'oauth', clientId, grantId, scopes, trusted, connectors };
    return { accountId, plan, locale, via };
  };
}
