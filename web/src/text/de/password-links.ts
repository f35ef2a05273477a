import type { passwordLinks as source } from '../en/password-links.ts';

export const passwordLinks: typeof source = {
  title: 'Passwort',
  lead: 'Für Personen, die ihr Passwort vergessen oder nie eines hatten. Über einen zugesandten Link setzen sie ein neues.',
  make: 'Passwort-Link erstellen',
  made: (email) => `Passwort-Link für ${email}`,
  shownOnce:
    'Er gilt einmal und 30 Minuten lang. Wer ihn hat, kann das Passwort setzen: nur an die Person senden, der das Konto gehört.',
};
