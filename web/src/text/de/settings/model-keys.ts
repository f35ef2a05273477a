import type { modelKeys as source } from '../../en/settings/model-keys.ts';

export const modelKeys: typeof source = {
  title: 'Modelle',
  lead: 'Aufgaben können Sprachmodelle mit einem eigenen Schlüssel verwenden. Diese Aufrufe kosten keine Credits; der Anbieter rechnet selbst ab, und die Modelle des Dienstes springen nie ein.',
  off: 'Dieser Dienst nimmt keine eigenen Schlüssel an. Aufgaben verwenden seine Modelle.',
  ofService: 'Verwendet das Modell des Dienstes',
  own: 'Eigener Schlüssel',
  keyEnd: (tail) => `Schlüssel mit der Endung ${tail}`,
  use: 'Eigenen Schlüssel verwenden',
  setOne: (profile) => `Eigenen Schlüssel verwenden für ${profile}`,
  remove: 'Entfernen',
  removeOne: (profile) => `Eigenen Schlüssel für ${profile} entfernen`,
  removeBody: 'Aufgaben verwenden ab dem nächsten Schritt die Modelle des Dienstes, was Credits kosten kann.',
  removed: 'Schlüssel entfernt.',
};
