import type { limits as source } from '../../en/usage/limits.ts';

export const limits: typeof source = {
  title: 'Tareas a la vez',
  lead: 'Las tareas que superan un límite esperan y empiezan cuando otras terminan.',
  none: 'Sin límites.',
  now: (count) => `En marcha ahora: ${count}.`,
  ofOperator: (count) => `La administración permite ${count}.`,
  add: 'Fijar un límite',
  change: 'Cambiar límite',
  dialogLead: 'Las tareas que ya están en marcha no se interrumpen.',
  tasks: 'Tareas a la vez',
  use: (running, limit) => `${running} de ${limit} en marcha`,
  atMost: (limit) => `Como máximo ${limit} en marcha`,
  eachPerson: 'Cada persona de su producto',
  saved: 'Límite guardado.',
  remove: 'Quitar',
  removed: 'Límite quitado.',
  removeTitle: (name) => `¿Quitar el límite? (${name})`,
  removeBody: 'Empiezan las tareas que esperan en este límite.',
};
