import { newId } from '@errand/base/ids.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { totpCode, totpStepAt } from '../../../src/rules/accounts/totp.ts';
import { sealedPlaces } from '../../../src/rules/instance/sealed-places.ts';
import { beginTwoStep, confirmTwoStep } from '../../../src/store/accounts/two-step/authenticators.ts';
import { newRecoveryCodes } from '../../../src/store/accounts/two-step/new-recovery-codes.ts';
import type { Database } from '../../../src/store/db/database.ts';

/** An authenticator app, as people have it on their telephone. */
export interface TestAuthenticator {
  id: string;
  recoveryCodes: string[];
  /** The code that it shows at a time. */
  codeAt(now: number): string;
}

/** What the app shows for a secret in Base32, as it is typed or scanned. */
export function codeOfSecret(secret: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2));
  return totpCode(Uint8Array.from(bytes), totpStepAt(now));
}

/** Turns two-step sign-in on for an account, as its user would. */
export async function turnTwoStepOn(
  database: Database,
  accountId: string,
  seal: Pick<SealedBox, 'seal'> = new SealedBox('a secret of the test'),
): Promise<TestAuthenticator> {
  const [id, secret] = [newId(1), Buffer.from(newId(2))];
  const sealedSecret = seal.seal(secret.toString('base64'), sealedPlaces.authenticator(id));
  const { codes, digests } = newRecoveryCodes(accountId);
  await database.run(beginTwoStep, { accountId, id, sealedSecret, now: 1 });
  await database.run(confirmTwoStep, { accountId, id, step: 0, codes: digests, actor: 'test', now: 1 });
  return { id, recoveryCodes: codes, codeAt: (now) => totpCode(secret, totpStepAt(now)) };
}
