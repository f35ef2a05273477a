import { plural } from '../plural.ts';
import type { projects as source } from '../en/projects.ts';

export const projects: typeof source = {
  title: 'Projekte',
  lead: 'Aufgaben eines Projekts teilen Anweisungen, Konnektoren und Skills.',
  new: 'Neues Projekt',
  create: 'Anlegen',
  saved: 'Gespeichert. Änderungen gelten für neue Aufgaben.',
  changesLead: 'Änderungen gelten für neue Aufgaben.',
  name: 'Name',
  instruction: 'Anweisungen',
  instructionHint: 'Gilt für jede Aufgabe in diesem Projekt.',
  noInstruction: 'Keine Anweisungen',
  connectors: 'Konnektoren',
  connectorsHint: 'Standardkonnektoren, wenn eine Aufgabe keine eigenen wählt.',
  skills: 'Skills',
  skillsHint: 'Standard-Skills. Leer: alle erlaubt.',
  actionsLabel: 'Wenn niemand eine Aktion freigeben kann',
  actionsHint: 'Für Aufgaben, die niemanden um eine Freigabe bitten können.',
  actions: { allow: 'Erlauben', refuse: 'Auslassen' },
  memory: 'Gedächtnis nutzen',
  memoryHint: 'Aufgaben lesen und schreiben Notizen, die spätere wiederfinden.',
  setup: 'Setup-Skript',
  setupExample: 'pip install polars',
  setupHint: 'Bash. Läuft einmal, wenn eine Aufgabe es zuerst braucht; was es installiert, haben alle Aufgaben des Projekts.',
  setupStatus: { none: '', pending: 'Noch nicht gelaufen', running: 'Läuft', ready: 'Bereit', failed: 'Fehlgeschlagen' },
  setupMeaning: {
    none: '',
    pending: 'Läuft mit der nächsten Aufgabe, die Befehle verwendet.',
    running: 'Aufgaben warten, bis es beendet ist.',
    ready: 'Was es installiert hat, steht Aufgaben zur Verfügung.',
    failed: 'Aufgaben laufen ohne es. Neuer Versuch nach 10 Minuten oder bei einer Änderung.',
  },
  setupOutput: 'Ausgabe des Setup-Skripts',
  tasks: 'Aufgaben anzeigen',
  recentTasks: 'Letzte Aufgaben',
  noTasks: 'Noch keine Aufgaben',
  startTask: 'Aufgabe starten',
  settings: 'Einstellungen',
  memoryLink: 'Gedächtnis',
  copyId: 'ID kopieren',
  counts: (connectors, skills) =>
    `${plural('de', connectors, { one: '1 Konnektor', other: `${connectors} Konnektoren` })} · ${
      skills === 0 ? 'alle Skills' : plural('de', skills, { one: '1 Skill', other: `${skills} Skills` })
    }`,
  emptyTitle: 'Noch keine Projekte',
  emptyBody: 'Für Aufgaben mit gleichem Publikum, Ton oder Werkzeug.',
};
