import type { Trigger } from '@errand/client';
import type { Texts } from '../text/en.ts';
import type { ShownSecret } from '../ui/dialogs/secret-dialog.tsx';

/** The secret in an answer that generated one; null in any other. */
export function shownSecretOf({ url = '', verification }: Trigger, title: string, { triggers }: Texts): ShownSecret | null {
  const { secret } = verification;
  if (secret === undefined) return null;
  return { title, lead: triggers.secretLead, secret, facts: [{ name: triggers.places.http.name, value: url }] };
}
