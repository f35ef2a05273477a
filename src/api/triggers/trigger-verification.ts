import { randomBytes } from 'node:crypto';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { isHeaderName } from '../../rules/triggers/payload-rules.ts';
import { decodeStandardSecret, type VerificationType } from '../../rules/triggers/sender-verification.ts';
import type { Trigger, TriggerType } from '../../store/triggers/trigger-row.ts';
import type { TriggerSecretBox } from '../contract/trigger-secrets.ts';
import type { VerificationInput } from './trigger-fields.ts';

const maxSecretLength = 512;

/** The header of the schemes that have none of their own. */
const usualHeaders: Partial<Record<VerificationType, string>> = { secret: 'x-trigger-secret', hmac_sha256: 'x-signature' };

/** A new secret in the format that senders of this scheme expect. */
function createSecret(type: VerificationType): string {
  return type === 'standard_webhooks' ? `whsec_${randomBytes(32).toString('base64')}` : randomBase62(43);
}

function checkSecret(type: VerificationType, secret: string): string {
  const field = 'verification.secret';
  if (secret.length > maxSecretLength) throw invalidField(field, `must have at most ${maxSecretLength} characters`);
  if (/[\0\r\n]/.test(secret) || secret !== secret.trim())
    throw invalidField(field, 'must not begin or end with spaces, or have several lines');
  if (type === 'standard_webhooks' && !decodeStandardSecret(secret)) throw invalidField(field, 'must be whsec_ and Base64');
  return secret;
}

function readHeaderName(type: VerificationType, header: string | undefined): string | null {
  const usual = usualHeaders[type] ?? null;
  if (usual === null && header !== undefined)
    throw invalidField('verification.header', `cannot be combined with the type ${type}`);
  if (header === undefined) return usual;
  if (!isHeaderName(header)) throw invalidField('verification.header', 'must be the name of a header');
  return header.toLowerCase();
}

export interface ReadVerification {
  stored: Pick<Trigger, 'verification' | 'sealedSecret' | 'header'>;
  /** Whether the answer has to show the secret, which nobody knows yet. */
  isGenerated: boolean;
}

/**
 * How requests prove their sender; 400 for what the scheme cannot use.
 * @param current of the same trigger before the change: its secret stays if the scheme does and the request names no other
 */
function readVerification(
  { type, secret, header }: VerificationInput,
  triggerId: string,
  box: TriggerSecretBox,
  current: Pick<Trigger, 'verification' | 'sealedSecret' | 'header'> | null = null,
): ReadVerification {
  if (type === 'none') {
    if (secret !== undefined) throw invalidField('verification.secret', 'cannot be combined with the type none');
    return { stored: { verification: type, sealedSecret: null, header: readHeaderName(type, header) }, isGenerated: false };
  }
  if (secret === '') throw invalidField('verification.secret', 'must not be empty; leave it out to have one generated');
  const kept = secret === undefined && current?.verification === type ? current : null;
  const named = readHeaderName(type, header ?? kept?.header ?? undefined);
  if (kept) return { stored: { verification: type, sealedSecret: kept.sealedSecret, header: named }, isGenerated: false };
  const text = secret === undefined ? createSecret(type) : checkSecret(type, secret);
  const stored = { verification: type, sealedSecret: box.seal(triggerId, 'secret', text), header: named };
  return { stored, isGenerated: secret === undefined };
}

/** Reads the verification of a trigger. Triggers by mail and by file or object have none: what arrives carries no secret. */
export function readSender(
  type: TriggerType,
  verification: VerificationInput | undefined,
  triggerId: string,
  box: TriggerSecretBox,
  current: Parameters<typeof readVerification>[3] = null,
): ReadVerification {
  if (type === 'http' && !verification) throw missingField('verification');
  if (type !== 'http' && verification && verification.type !== 'none') {
    const problem = 'must be none for mail; let a filter want that /dmarc equals pass';
    throw invalidField('verification.type', type === 'email' ? problem : `must be none for ${type}s`);
  }
  const unproven = { type: 'none' as const, secret: undefined, header: undefined };
  return readVerification(verification ?? unproven, triggerId, box, current);
}

/** A new end for the URL of a trigger, 256 bits, or beginning of its address, 160 bits in characters without case. */
export function createToken(type: TriggerType): string {
  return type === 'email' ? randomBytes(20).toString('hex') : randomBase62(43);
}
