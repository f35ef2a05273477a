import type { examples as source } from '../en/examples.ts';

export const examples: typeof source = {
  recorded: 'Grabación',
  play: 'Reproducir',
  pause: 'Pausar',
  note: 'Esta es la grabación de una tarea terminada. No se está ejecutando nada.',
  reuse: 'Usar esta petición',
};
