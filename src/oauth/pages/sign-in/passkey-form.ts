import { createHash } from 'node:crypto';
import { describePasskeyUse, type PasskeySite } from '@errand/base/secrets/passkeys.ts';
import { html, Html } from '../layout/html.ts';
import type { Texts } from '../layout/page-texts-en.ts';

/** Where the answer of a passkey is sent. */
const passkeyPath = '/sign-in/passkey';

/** The only script of these pages: without it there is no way to a passkey. The form is hidden where it does not run. */
const script = `
const form = document.querySelector('#passkey');
const support = window.PublicKeyCredential;
if (support && support.parseRequestOptionsFromJSON && location.origin === form.dataset.origin) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const publicKey = support.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));
      form.elements.credential.value = JSON.stringify(await navigator.credentials.get({ publicKey }));
      form.submit();
    } catch {
      form.querySelector('[role=status]').hidden = false;
    }
  });
}
`;

// Not part of the template below: bundlers rewrite templates in which a script ends.
const scriptElement = new Html(`<script>${script}</script>`);

/** The hash that allows exactly this script in the content security policy. */
export const passkeyScriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;

export interface PasskeyForm {
  site: PasskeySite;
  challenge: string;
  formToken: string;
  /** Where to continue, as read by `readNext`. */
  next: string;
  texts: Texts;
}

/** The form that signs in with a passkey, with its script. */
export function renderPasskeyForm({ site, challenge, formToken, next, texts: { passkey } }: PasskeyForm): Html {
  const options = JSON.stringify(describePasskeyUse(site, challenge));
  return html`<form id="passkey" method="post" action="${passkeyPath}" data-origin="${site.origin}" data-options="${options}" hidden>
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="next" value="${next}">
<input type="hidden" name="credential" value="" autocomplete="off">
<p class="or soft small">${passkey.or}</p><div class="row"><button class="plain">${passkey.submit}</button></div>
<p class="soft small" role="status" hidden>${passkey.notUsed}</p></form>${scriptElement}`;
}
