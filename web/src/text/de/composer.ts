import type { composer as source } from '../en/composer.ts';

export const composer: typeof source = {
  attach: 'Dateien anhängen',
  send: 'Senden',
  drop: 'Zum Anhängen loslassen',
  files: 'Angehängte Dateien',
  uploading: (name) => `${name} wird hochgeladen`,
  cancelUpload: (name) => `Hochladen von ${name} abbrechen`,
  removeFile: (name) => `${name} entfernen`,
  dictate: 'Diktieren',
  endDictation: 'Diktat beenden',
  noMicrophone: 'Das Mikrofon für diese Seite in den Einstellungen des Browsers erlauben.',
  dictationFailed: 'Sprache nicht erkannt. Mikrofon und Verbindung prüfen.',
};
