import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { type PasskeySite, passkeySiteOf } from '@errand/base/secrets/passkeys.ts';
import type { Passkey } from '../../../store/accounts/passkeys/passkeys.ts';
import type { Context } from '../../contract/operation.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

export const passkeyObject = z.object({
  passkey_id: z.string(),
  name: z.string(),
  is_synced: z
    .boolean()
    .meta({ description: 'Whether the passkey is on several devices of its user, by their password manager.' }),
  created_at: unixTime,
  last_used_at: unixTime.nullable(),
});

export function describePasskey({ id, name, isSynced, createdAtMs, lastUsedAtMs }: Passkey): z.infer<typeof passkeyObject> {
  return {
    passkey_id: id,
    name,
    is_synced: isSynced,
    created_at: toUnixTime(createdAtMs),
    last_used_at: lastUsedAtMs === null ? null : toUnixTime(lastUsedAtMs),
  };
}

/** The site of this service, or null where it has no passkeys: it signs people in otherwise, or browsers make none at its address. */
export function findPasskeySite({ acceptsPasswords, urls }: Pick<Context, 'acceptsPasswords' | 'urls'>): PasskeySite | null {
  return acceptsPasswords ? passkeySiteOf(urls.page('/')) : null;
}

/** The site that passkeys belong to; throws 412 where the service has no passkeys. */
export function requirePasskeySite(context: Pick<Context, 'acceptsPasswords' | 'urls'>): PasskeySite {
  const site = findPasskeySite(context);
  if (site) return site;
  throw new Fault(
    'failed_precondition',
    'Passkeys need password sign-in and an ERRAND_PUBLIC_URL with https and a domain; browsers make none for other addresses.',
  );
}

/** What is begun and not finished, given to the browser and back; nobody else can read or make it. */
export interface PasskeySetup {
  challenge: string;
  endsAtMs: number;
}

/** What a sealed setup is bound to. */
export function placeOfSetup(accountId: string): string {
  return `passkey setup of ${accountId}`;
}

/** What seals setups; 412 in a process without the secret of the instance. */
export function openPasskeySeal({ seal }: Pick<Context, 'seal'>): NonNullable<Context['seal']> {
  if (seal) return seal;
  throw new Fault('failed_precondition', 'Adding a passkey needs the same ERRAND_SECRET in all processes of this service.');
}
