import type { agent as source } from '../en/agent.ts';

export const agent: typeof source = {
  title: 'Agent',
  edit: 'Profil bearbeiten',
  clear: 'Unterhaltung leeren',
  clearTitle: 'Diese Unterhaltung leeren?',
  clearBody:
    'Nachrichten, Dateien, Arbeitsbereich und Teilaufgaben werden endgültig gelöscht. Profil und Einstellungen des Agenten bleiben erhalten.',
  clearConfirm: 'Leeren',
  cleared: 'Unterhaltung geleert.',
  nickname: 'Rufname',
  about: 'Beschreibung',
  aboutHint: 'Wofür dieser Agent da ist, in ein, zwei Sätzen.',
  noAbout: 'Der Assistent, der immer da ist',
  views: 'Ansichten des Agenten',
  conversation: 'Unterhaltung',
  subtasks: 'Teilaufgaben',
  nothingSaid: 'Unterhaltung beginnen',
  nothingSaidBody:
    'Einfach schreiben, was gebraucht wird. Der Agent merkt sich diese Unterhaltung und startet Teilaufgaben für größere Arbeiten.',
  noSubtasks: 'Noch keine Teilaufgaben',
  noSubtasksBody: 'Hier erscheint, was der Agent außerhalb dieser Unterhaltung beginnt.',
  ratings: 'Bewertungen',
  ratingFilter: 'Bewertungen filtern',
  allRatings: 'Alle Bewertungen',
  noRatings: 'Noch keine Bewertungen',
  noRatingsBody: 'Hier erscheinen Bewertungen von Antworten in Ihren Aufgaben.',
  ratedFiles: 'Eine Antwort mit Dateien',
};
