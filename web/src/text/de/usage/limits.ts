import type { limits as source } from '../../en/usage/limits.ts';

export const limits: typeof source = {
  title: 'Gleichzeitige Aufgaben',
  lead: 'Aufgaben über dem Limit warten und starten, wenn andere enden.',
  none: 'Keine Limits.',
  now: (count) => `Zurzeit laufend: ${count}.`,
  ofOperator: (count) => `Der Betreiber erlaubt ${count}.`,
  add: 'Limit festlegen',
  change: 'Limit ändern',
  dialogLead: 'Bereits laufende Aufgaben werden nicht unterbrochen.',
  tasks: 'Gleichzeitige Aufgaben',
  use: (running, limit) => `${running} von ${limit} laufen`,
  atMost: (limit) => `Höchstens ${limit} laufen`,
  eachPerson: 'Jeder Endnutzer Ihres Produkts',
  saved: 'Limit gespeichert.',
  remove: 'Entfernen',
  removed: 'Limit entfernt.',
  removeTitle: (name) => `Das Limit entfernen? (${name})`,
  removeBody: 'Aufgaben, die an diesem Limit warten, starten.',
};
