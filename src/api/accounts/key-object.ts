import { z } from 'zod';
import type { ApiKey } from '../../store/accounts/api-keys.ts';

/** An API key without its secret. */
export const keyObject = z
  .object({
    id: z.string(),
    name: z.string(),
    tail: z.string().meta({ description: 'The last four characters of the key.' }),
    created_at: z.int().meta({ description: 'Unix time in seconds.' }),
    last_used_at: z.int().nullable(),
  })
  .meta({ id: 'ApiKey' });

export function presentKey(key: ApiKey): z.input<typeof keyObject> {
  return {
    id: key.id,
    name: key.name,
    tail: key.tail,
    created_at: Math.floor(key.createdAtMs / 1000),
    last_used_at: key.lastUsedAtMs === null ? null : Math.floor(key.lastUsedAtMs / 1000),
  };
}
