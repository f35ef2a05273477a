import type { IncomingMessage } from 'node:http';
import { Fault } from '../base/fault.ts';
import type { Principal } from '../rules/access.ts';
import { findAccount } from '../store/accounts.ts';
import type { KeyOwner } from '../store/api-keys.ts';
import type { Database } from '../store/db/database.ts';
import { type Credential, readCredential } from './credential.ts';
import type { KeyOwners } from './key-owners.ts';
import type { KeyUse } from './key-use.ts';

/** Who is calling, in which family of names, and whether that is still so later on. */
export interface Caller {
  principal: Principal;
  family: string;
  isStillValid(): Promise<boolean>;
}

/** Throws or rejects with 401 `unauthenticated`. Answers at once where nothing has to be looked up. */
export type Authenticate = (request: IncomingMessage) => Caller | Promise<Caller>;

/** For the public face: an API key. */
export function authenticateByKey(owners: KeyOwners, use: KeyUse, families: readonly string[]): Authenticate {
  const admit = ({ key, family }: Credential, owner: KeyOwner | null): Caller => {
    if (!owner) throw new Fault('unauthenticated', 'invalid API key');
    use.note(owner);
    const { accountId, plan, locale, keyId } = owner;
    return {
      principal: { accountId, plan, locale, via: { kind: 'api_key', keyId } },
      family,
      isStillValid: async () => (await owners.find(key)) !== null,
    };
  };
  return (request) => {
    const credential = readCredential(request, families);
    const owner = owners.find(credential.key);
    return owner instanceof Promise ? owner.then((found) => admit(credential, found)) : admit(credential, owner);
  };
}

/**
 * For the control face, where whoever gets through is the operator: the account of the header `x-errand-account` (e-mail
 * address or id), by default the first one.
 */
export function authenticateOperator(database: Database): Authenticate {
  return async ({ headers }) => {
    const named = headers['x-errand-account'];
    const account = await database.run(findAccount, typeof named === 'string' ? named : null);
    if (!account) throw new Fault('not_found', 'account not found');
    const { accountId, plan, locale } = account;
    return {
      principal: { accountId, plan, locale, via: { kind: 'operator' } },
      family: 'service',
      isStillValid: async () => true,
    };
  };
}
