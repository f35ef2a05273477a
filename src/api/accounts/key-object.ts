import { z } from 'zod';
import type { ApiKey } from '../../store/accounts/api-keys.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** An API key without its secret. */
export const keyObject = z
  .object({
    id: z.string(),
    name: z.string(),
    tail: z.string().meta({ description: 'The last four characters of the key.' }),
    created_at: unixTime,
    last_used_at: z.int().nullable(),
  })
  .meta({ id: 'ApiKey' });

export function presentKey(key: ApiKey): z.input<typeof keyObject> {
  return {
    id: key.id,
    name: key.name,
    tail: key.tail,
    created_at: toUnixTime(key.createdAtMs),
    last_used_at: key.lastUsedAtMs === null ? null : toUnixTime(key.lastUsedAtMs),
  };
}
