import type { JoinTexts } from './join-texts-en.ts';

/** German texts of the page that joins a team. */
export const joinTexts: JoinTexts = {
  title: (team) => `${team} beitreten`,
  lead: 'Ein Passwort wählen, um das Konto zu erstellen.',
  email: 'E-Mail',
  password: 'Passwort',
  again: 'Passwort bestätigen',
  submit: 'Konto erstellen',
  gone: 'Mit dieser Einladung lässt sich kein Konto mehr erstellen. Die Einladung wurde verwendet, zurückgezogen oder ist älter als sieben Tage, oder zu ihrer Adresse gibt es schon ein Konto: dann anmelden.',
};
