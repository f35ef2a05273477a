import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { readToken, signToken } from '../files/signed-token.ts';
import { type TaskRight, taskRights } from '../accounts/access.ts';

/** How every task token begins. */
export const taskTokenPrefix = 'et_';

/** The longest life of a task token, in seconds. */
export const maxTaskTokenS = 3600;

const purpose = 'task token';

/** The credential that made a token: the token ends with it. The operator has none. */
export interface TokenParent {
  kind: 'api_key' | 'oauth' | 'session' | 'operator';
  id: string;
}

/** The claims of a task token, of which nothing is stored. */
export interface TaskTokenClaims {
  accountId: string;
  taskId: string;
  can: readonly TaskRight[];
  parent: TokenParent;
  endsAtMs: number;
}

/** A token that only a holder of the key can make. */
export function formatTaskToken(key: Uint8Array, { accountId, taskId, can, parent, endsAtMs }: TaskTokenClaims): string {
  const claims = [accountId, taskId, can.join(','), parent.kind, parent.id];
  return taskTokenPrefix + signToken(key, purpose, claims, endsAtMs);
}

/** The claims of a token; null for one that is forged, altered, or expired. */
export function readTaskToken(key: Uint8Array, token: string, nowMs: number): TaskTokenClaims | null {
  try {
    const { claims, endsAtMs } = readToken(key, purpose, token.slice(taskTokenPrefix.length), nowMs);
    const [accountId = '', taskId = '', rights = '', kind, parentId = ''] = claims.map(String);
    const can = taskRights.filter((right) => rights.split(',').includes(right));
    if (!isId(accountId) || !isId(taskId)) return null;
    return { accountId, taskId, can, parent: { kind: kind as TokenParent['kind'], id: parentId }, endsAtMs };
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
