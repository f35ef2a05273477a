import type { models as source } from '../en/models.ts';

export const models: typeof source = {
  title: 'Modelle',
  lead: 'Die Sprachmodelle, die an Aufgaben arbeiten, für alle auf dieser Instanz. Änderungen gelten sofort.',
  sources: { environment: 'Durch die Umgebung festgelegt', settings: 'Hier festgelegt', built_in: 'Voreinstellung' },
  environmentHint: (variable) => `Um es hier zu ändern, ${variable} aus der Umgebung entfernen und den Dienst neu starten.`,
  inherited: 'Wie Standard',
  offline: 'Eingebaut, ohne Sprachverständnis',
  change: 'Ändern',
  changeOne: (profile) => `Modell von ${profile} ändern`,
  provider: 'Anbieter',
  providers: {
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    google: 'Google',
    compatible: 'OpenAI-kompatibel',
    ollama: 'Ollama',
    lmstudio: 'LM Studio',
  },
  found: 'Läuft auf diesem Rechner',
  model: 'Modell',
  modelHint: 'So, wie der Anbieter es nennt',
  fallbacks: 'Ersatzmodelle',
  fallbacksHint: 'Als Anbieter/Modell, durch Kommas getrennt. Sie springen ein, solange das Modell nicht verfügbar ist.',
  baseUrl: 'Basis-URL',
  baseUrlHint: 'Leer: die übliche Adresse.',
  apiKey: 'API-Schlüssel',
  keyStored: (tail) =>
    tail === ''
      ? 'Ein Schlüssel ist gespeichert. Leer lassen, um ihn zu behalten.'
      : `Ein Schlüssel mit der Endung ${tail} ist gespeichert. Leer lassen, um ihn zu behalten.`,
  keyHint: 'Verschlüsselt, wird nie wieder angezeigt.',
  test: 'Testen',
  testOne: (profile) => `Modell von ${profile} testen`,
  answered: (model, ms) => `${model} hat in ${ms} ms geantwortet.`,
  failed: (model, reason) => `${model}: ${reason}`,
  save: 'Speichern',
  saved: 'Modell gespeichert.',
  reset: 'Zurücksetzen',
  resetDone: 'Modell zurückgesetzt.',
};
