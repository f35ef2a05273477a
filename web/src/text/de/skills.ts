import type { skills as source } from '../en/skills.ts';

export const skills: typeof source = {
  title: 'Skills',
  lead: 'Dem Agenten beibringen, wie eine Art von Arbeit gut gelingt. Aufgaben wählen passende Skills.',
  new: 'Neuer Skill',
  newLead: 'Ein Ordner mit einer SKILL.md. Ersetzt einen Skill mit gleichem Namen.',
  owner: 'Verfügbar für',
  forMe: 'Eigene Aufgaben',
  forTeam: (name) => `Alle in ${name}`,
  forProject: (name) => `Aufgaben in ${name}`,
  folder: 'Ordner wählen',
  zip: 'ZIP-Datei wählen',
  text: 'Oder eine SKILL.md schreiben',
  textHint:
    'Im Kopf: name (Kleinbuchstaben, Ziffern, Bindestriche) und description, wann der Skill passt. Darunter: Anweisungen.',
  sample:
    '---\nname: freundliche-briefe\ndescription: Schreibt Briefe an Kunden. Für jeden Brief verwenden.\n---\n\nKurz fassen. Mit der Antwort beginnen.',
  add: 'Hinzufügen',
  added: (name) => `Skill ${name} hinzugefügt.`,
  addedBy: (name) => `Hinzugefügt von ${name}`,
  readOne: (name) => `${name} ansehen`,
  files: 'Dateien',
  notShown: 'Keine Vorschau (binär oder über 64 KB)',
  projectChoice: 'Skills eines Projekts anzeigen',
  withoutProject: 'Für alle Aufgaben',
  withProject: (name) => `Einschließlich ${name}`,
  deleteOne: (name) => `${name} löschen`,
  deleteBody: 'Neue Aufgaben können ihn nicht mehr verwenden. Was Aufgaben daraus gelesen haben, behalten sie.',
  kinds: { personal: 'Persönlich', team: 'Team', project: 'Projekt', official: 'Eingebaut' },
  emptyTitle: 'Noch keine eigenen Skills',
  emptyBody: 'Dem Agenten einmal beibringen, wie das Team arbeitet: der Ton der Briefe, die Prüfungen für jeden Bericht.',
};
