import type { automation as source } from '../../en/automation/automation.ts';

export const automation: typeof source = {
  defaultProfile: 'Standard',
  recipe: 'Vorlage',
  noRecipe: 'Keine – Nachricht schreiben',
  recipeCopied: 'Wird beim Sichern kopiert. Spätere Änderungen der Vorlage ändern hier nichts.',
  keptFile: 'Leer lassen, um die bisherige Datei zu behalten.',
  removeFile: 'Datei entfernen',
  uploading: 'Die Datei wird noch hochgeladen.',
  valueHint: 'Text; {{/issue/title}} setzt einen Teil der Sendung ein.',
  interactiveHint: 'Fragen warten im Eingang. Sonst entscheidet der Agent selbst und nennt seine Annahmen.',
  budget: 'Budget jeder Antwort',
  budgetHint: 'So viel darf sie mit ihren Unteraufgaben höchstens kosten.',
  onLimit: 'An der Obergrenze',
  onLimits: { wait: 'Auf ein höheres Budget warten', end: 'Mit einem Fehler enden' },
  decideIn: 'Wenn niemand entscheidet',
  decideInHint: 'Eine Frage bekommt dann die Antwort unten; eine Aktion wird abgelehnt.',
  noTimeLimit: 'So lange warten wie nötig',
  times: { 600: '10 Minuten', 3600: '1 Stunde', 14400: '4 Stunden', 86400: '1 Tag', 259200: '3 Tage', 604800: '1 Woche' },
  usualAnswer: 'Antwort auf Fragen',
  usualAnswerHint: 'Ohne sie erfährt der Agent, dass niemand geantwortet hat, und entscheidet selbst.',
};
