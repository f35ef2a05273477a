import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { keyScopes } from '../../rules/accounts/access.ts';
import type { ApiKey, NamedKey } from '../../store/accounts/api-keys.ts';
import { type KeyLimits, noLimits } from '../../store/accounts/stored-key.ts';
import { optional } from '../contract/fields.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const named = {
  id: z.string(),
  name: z.string(),
  tail: z.string().meta({ description: 'The last four characters of the key.' }),
  created_at: unixTime,
  last_used_at: z.int().nullable(),
};

/** A key that administers the instance, without its secret. */
export const instanceKeyObject = z.object(named).meta({ id: 'InstanceKey' });

/** An API key without its secret. */
export const keyObject = z
  .object({
    ...named,
    scope: z.enum(keyScopes),
    expires_at: z.int().nullable().meta({ description: 'Unix time in seconds from which it is refused; null for never.' }),
  })
  .meta({ id: 'ApiKey' });

const latestExpiryS = 253_402_300_799;

/** The fields of a new key that limit it. */
export const keyLimitFields = {
  scope: optional(z.enum(keyScopes)).meta({
    description:
      '`everything` (default); `tasks`: what concerns tasks, their files, and artifacts; `read_only`: what only reads, without secrets.',
  }),
  expires_at: optional(z.int().max(latestExpiryS)).meta({
    description: 'Unix time in seconds from which the key is refused. Default: never.',
  }),
};

/** The limits of a new key; throws 400 for a time that has passed. */
export function readKeyLimits(
  { scope, expires_at: expiresAtS }: { scope?: KeyLimits['scope'] | undefined; expires_at?: number | undefined },
  now: number,
): KeyLimits {
  const expiresAtMs = expiresAtS === undefined ? null : expiresAtS * 1000;
  if (expiresAtMs !== null && expiresAtMs <= now) throw invalidField('expires_at', 'must be in the future');
  return { scope: scope ?? noLimits.scope, expiresAtMs };
}

export function presentInstanceKey(key: NamedKey): z.input<typeof instanceKeyObject> {
  return {
    id: key.id,
    name: key.name,
    tail: key.tail,
    created_at: toUnixTime(key.createdAtMs),
    last_used_at: key.lastUsedAtMs === null ? null : toUnixTime(key.lastUsedAtMs),
  };
}

export function presentKey(key: ApiKey): z.input<typeof keyObject> {
  const { scope, expiresAtMs } = key;
  return { ...presentInstanceKey(key), scope, expires_at: expiresAtMs === null ? null : toUnixTime(expiresAtMs) };
}
