import type { models as source } from '../en/models.ts';

export const models: typeof source = {
  title: 'Modelos',
  lead: 'Los modelos de lenguaje que trabajan en las tareas, para toda esta instancia. Los cambios valen enseguida.',
  sources: { environment: 'Fijado por el entorno', settings: 'Fijado aquí', built_in: 'Predeterminado' },
  environmentHint: (variable) => `Para cambiarlo aquí, quita ${variable} del entorno y reinicia el servicio.`,
  inherited: 'Igual que Estándar',
  offline: 'Integrado, sin comprensión del lenguaje',
  change: 'Cambiar',
  changeOne: (profile) => `Cambiar el modelo de ${profile}`,
  provider: 'Proveedor',
  providers: {
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    google: 'Google',
    compatible: 'Compatible con OpenAI',
    ollama: 'Ollama',
    lmstudio: 'LM Studio',
  },
  found: 'En marcha en este equipo',
  model: 'Modelo',
  modelHint: 'El nombre que le da el proveedor',
  fallbacks: 'Modelos de reserva',
  fallbacksHint: 'Como proveedor/modelo, separados por comas. Entran cuando el modelo no está disponible.',
  baseUrl: 'URL base',
  baseUrlHint: 'Déjala vacía para usar la dirección habitual.',
  apiKey: 'Clave de API',
  keyStored: (tail) =>
    tail === ''
      ? 'Hay una clave guardada. Déjalo vacío para conservarla.'
      : `Hay una clave guardada que termina en ${tail}. Déjalo vacío para conservarla.`,
  keyHint: 'Cifrada; no se vuelve a mostrar.',
  test: 'Probar',
  testOne: (profile) => `Probar el modelo de ${profile}`,
  answered: (model, ms) => `${model} respondió en ${ms} ms.`,
  failed: (model, reason) => `${model}: ${reason}`,
  save: 'Guardar',
  saved: 'Modelo guardado.',
  reset: 'Restablecer',
  resetDone: 'Modelo restablecido.',
};
