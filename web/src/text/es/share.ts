import { plural } from '../plural.ts';
import type { share as source } from '../en/share.ts';

export const share: typeof source = {
  title: 'Tarea compartida',
  goneTitle: 'Página no encontrada',
  goneBody: 'El enlace es incorrecto o se dejó de compartir. Pide uno nuevo a quien te lo envió.',
  toStart: (name) => `Ir a ${name}`,
  madeWith: (name) => `Hecho con ${name}`,
  files: (count, text) => plural('es', count, { one: `${text} archivo`, other: `${text} archivos` }),
};
