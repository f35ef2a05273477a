import type { budgets as source } from '../../en/usage/budgets.ts';

export const budgets: typeof source = {
  title: 'Budgets',
  lead: 'Am Limit wartet die Arbeit auf den nächsten Zeitraum oder ein höheres Budget. Tage und Monate zählen nach UTC.',
  none: 'Keine Budgets. Aufgaben können alle verfügbaren Credits nutzen.',
  add: 'Budget festlegen',
  change: 'Budget ändern',
  dialogLead: 'Gezählt wird ab jetzt.',
  scope: 'Für',
  scopes: {
    account: 'Ganzes Konto',
    project: 'Ein Projekt',
    key: 'Ein API-Schlüssel',
    application: 'Eine verbundene App',
    schedule: 'Ein Zeitplan',
    external_user: 'Eine Person',
  },
  named: {
    project: (name) => `Projekt ${name}`,
    key: (name) => `API-Schlüssel ${name}`,
    application: (name) => `App ${name}`,
    schedule: (name) => `Zeitplan ${name}`,
    external_user: (name) => `Person ${name}`,
  },
  target: 'Welches',
  noTargets: 'Noch gibt es keines.',
  period: 'Zeitraum',
  periods: { month: 'Jeden Monat', day: 'Jeden Tag' },
  credits: 'Credits',
  use: {
    month: (used, credits) => `${used} von ${credits} Credits in diesem Monat verbraucht`,
    day: (used, credits) => `${used} von ${credits} Credits heute verbraucht`,
  },
  resets: (time) => `beginnt neu: ${time}`,
  saved: 'Budget gespeichert.',
  remove: 'Entfernen',
  removed: 'Budget entfernt.',
  removeTitle: (name) => `Das Budget entfernen? (${name})`,
  removeBody: 'Arbeit, die an diesem Limit wartet, geht weiter.',
  ofReply: 'Budget jeder Antwort',
  ofReplyLead:
    'So viel darf eine Antwort dieser Aufgabe mit ihren Teilaufgaben höchstens kosten. Eine am Limit wartende Aufgabe läuft weiter.',
};
