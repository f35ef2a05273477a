import type { WebResponse } from '../../api/web-call.ts';

type Options = WebResponse<'account.passkeyBegin'>['options'];

/** Whether this browser makes passkeys for this page. */
export function canMakePasskey(site: string | null): boolean {
  return site === location.origin && 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential;
}

/** Why the browser made no passkey: its user declined or waited too long, or the authenticator has one for this account. */
export type PasskeyRefusal = 'declined' | 'known' | 'failed';

/** Has the browser make a passkey; returns it as JSON text, or why there is none. */
export async function makePasskey(options: Options): Promise<{ credential: string } | { refusal: PasskeyRefusal }> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as unknown as PublicKeyCredentialCreationOptionsJSON,
    );
    return { credential: JSON.stringify(await navigator.credentials.create({ publicKey })) };
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    if (name === 'InvalidStateError') return { refusal: 'known' };
    return { refusal: name === 'NotAllowedError' || name === 'AbortError' ? 'declined' : 'failed' };
  }
}
