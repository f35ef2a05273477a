import { z } from 'zod';
import type { Identity } from '../../store/accounts/identities.ts';

const toSeconds = (ms: number) => Math.floor(ms / 1000);

/** Somebody as a provider of OpenID Connect knows them, who signs in to the account. */
export const identityObject = z
  .object({
    issuer: z.string(),
    subject: z.string().meta({ description: 'Who it is to the provider.' }),
    email: z.string().nullable().meta({ description: 'The address that the provider told last.' }),
    created_at: z.int().meta({ description: 'Unix time in seconds.' }),
    last_used_at: z.int().nullable().meta({ description: 'Unix time in seconds.' }),
  })
  .meta({ id: 'Identity' });

export function presentIdentity({ createdAtMs, lastUsedAtMs, ...identity }: Identity): z.input<typeof identityObject> {
  const lastUsedAt = lastUsedAtMs === null ? null : toSeconds(lastUsedAtMs);
  return { ...identity, created_at: toSeconds(createdAtMs), last_used_at: lastUsedAt };
}
