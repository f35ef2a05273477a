import type { taskList as source } from '../en/task-list.ts';

export const taskList: typeof source = {
  label: 'Aufgaben',
  titleLabel: 'Titel',
  rename: 'Umbenennen',
  share: 'Teilen',
  stop: 'Stoppen',
  whoMaySee: 'Wer diese Aufgabe sehen kann',
  visibility: { private: 'Nur ich', team: 'Das Team', public: 'Alle mit dem Link' },
  visibilityHint: {
    private: 'Niemand sonst kann sie öffnen.',
    team: 'Teammitglieder können den Link nach der Anmeldung öffnen.',
    public: 'Ohne Anmeldung. Zu sehen sind Nachrichten und Dateien, keine Eingaben von Werkzeugen.',
  },
  shareTitle: 'Diese Aufgabe teilen',
  shareLead: 'Zu sehen sind Nachrichten und Dateien, nicht aber Eingaben von Werkzeugen und das Konto.',
  shareLink: 'Link',
  copyLink: 'Link kopieren',
  revoke: 'Nicht mehr teilen',
  revoked: 'Wird nicht mehr geteilt. Der alte Link gilt nicht mehr.',
  shared: 'Wird geteilt.',
  deleted: 'Aufgabe gelöscht.',
  deleteTitle: 'Diese Aufgabe löschen?',
  deleteBody: (title) =>
    `„${title}“ wird mit Unterhaltung und Dateien endgültig gelöscht. Läuft die Aufgabe noch, wird sie gestoppt.`,
  actionsOf: (title) => `Aktionen für ${title}`,
  types: { standard: 'Aufgabe', project: 'Projekt', agent_subtask: 'Teilaufgabe des Agenten' },
  byKey: (name) => `über ${name}`,
  dateGroup: { today: 'Heute', yesterday: 'Gestern', week: 'Letzte 7 Tage', month: 'Letzte 30 Tage' },
  foundIn: { message: 'In einer Nachricht:', reply: 'In einer Antwort:', file: 'In einer Datei:' },
  noneFound: 'Keine passenden Aufgaben',
  older: 'Ältere Aufgaben anzeigen',
};
