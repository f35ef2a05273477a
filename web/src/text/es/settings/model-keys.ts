import type { modelKeys as source } from '../../en/settings/model-keys.ts';

export const modelKeys: typeof source = {
  title: 'Modelos',
  lead: 'Tus tareas pueden usar modelos de lenguaje con tu propia clave. Estas llamadas no cuestan créditos; las cobra tu proveedor, y los modelos del servicio nunca sustituyen a los tuyos.',
  off: 'Este servicio no acepta claves propias. Tus tareas usan sus modelos.',
  ofService: 'Usa el modelo del servicio',
  own: 'Tu clave',
  keyEnd: (tail) => `Clave que termina en ${tail}`,
  use: 'Usar tu propia clave',
  setOne: (profile) => `Usar tu propia clave para ${profile}`,
  remove: 'Quitar',
  removeOne: (profile) => `Quitar tu clave de ${profile}`,
  removeBody: 'Tus tareas usarán los modelos del servicio desde el siguiente paso, lo que puede costar créditos.',
  removed: 'Clave quitada.',
};
