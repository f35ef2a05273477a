import { plural } from '../plural.ts';
import type { share as source } from '../en/share.ts';

export const share: typeof source = {
  title: 'Geteilte Aufgabe',
  goneTitle: 'Seite nicht gefunden',
  goneBody: 'Der Link stimmt nicht, oder die Aufgabe wird nicht mehr geteilt. Beim Absender nach einem neuen fragen.',
  toStart: (name) => `Zu ${name}`,
  madeWith: (name) => `Erstellt mit ${name}`,
  files: (count, text) => plural('de', count, { one: `${text} Datei`, other: `${text} Dateien` }),
};
