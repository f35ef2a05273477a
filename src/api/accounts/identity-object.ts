import { z } from 'zod';
import type { Identity } from '../../store/accounts/identities.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** An OpenID Connect identity that signs in to the account. */
export const identityObject = z
  .object({
    issuer: z.string(),
    subject: z.string().meta({ description: "The provider's identifier for the user." }),
    email: z.string().nullable().meta({ description: 'The e-mail address last reported by the provider.' }),
    created_at: unixTime,
    last_used_at: unixTime.nullable(),
  })
  .meta({ id: 'Identity' });

export function presentIdentity({ createdAtMs, lastUsedAtMs, ...identity }: Identity): z.input<typeof identityObject> {
  const lastUsedAt = lastUsedAtMs === null ? null : toUnixTime(lastUsedAtMs);
  return { ...identity, created_at: toUnixTime(createdAtMs), last_used_at: lastUsedAt };
}
