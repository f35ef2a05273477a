import type { PasswordTexts } from './password-texts-en.ts';

/** German texts of the pages about passwords. */
export const passwordTexts: PasswordTexts = {
  forgot: 'Passwort vergessen?',
  title: 'Passwort zurücksetzen',
  lead: 'Bitte die E-Mail-Adresse des Kontos eingeben. Dorthin geht ein Link, mit dem sich ein neues Passwort setzen lässt.',
  email: 'E-Mail',
  send: 'Link senden',
  tooMany: 'Zu viele Anfragen. Bitte später erneut versuchen.',
  sentTitle: 'E-Mail ist unterwegs',
  sent: 'Gibt es zu dieser Adresse ein Konto mit Passwort, ist ein Link unterwegs. Er gilt einmal und 30 Minuten lang.',
  notHere: 'Dieser Dienst versendet keine E-Mails. Inhaber dieser Instanz können einen Link für ein neues Passwort erstellen.',
  toSignIn: 'Zurück zur Anmeldung',
  setTitle: 'Neues Passwort setzen',
  setLead: (email) => `Für ${email}. Alle Sitzungen werden abgemeldet.`,
  password: 'Neues Passwort',
  hint: 'mindestens 8 Zeichen',
  again: 'Neues Passwort bestätigen',
  save: 'Passwort setzen',
  differ: 'Die Passwörter stimmen nicht überein.',
  wrong: () => 'Das Passwort muss 8 bis 200 Zeichen haben.',
  brokenTitle: 'Dieser Link funktioniert nicht',
  broken: 'Er wurde schon benutzt oder ist älter als 30 Minuten. Bitte einen neuen anfordern.',
  doneTitle: 'Passwort gesetzt',
  done: 'Die Anmeldung mit dem neuen Passwort ist jetzt möglich.',
  signIn: 'Anmelden',
  mail: {
    subject: 'Neues Passwort für Errand setzen',
    text: (url) =>
      [
        'Für das Errand-Konto zu dieser Adresse wurde ein neues Passwort angefordert. Zum Setzen diesen Link innerhalb von 30 Minuten öffnen:',
        url,
        'Nicht selbst angefordert? Dann diese E-Mail einfach ignorieren. Das Passwort bleibt, wie es ist.',
      ].join('\n\n'),
  },
};
