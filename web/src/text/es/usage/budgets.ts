import type { budgets as source } from '../../en/usage/budgets.ts';

export const budgets: typeof source = {
  title: 'Presupuestos',
  lead: 'Al llegar al límite, el trabajo espera al próximo periodo o a un presupuesto mayor. Días y meses según UTC.',
  none: 'Sin presupuestos. Las tareas pueden usar todos los créditos disponibles.',
  add: 'Fijar un presupuesto',
  change: 'Cambiar presupuesto',
  dialogLead: 'Se cuenta desde ahora.',
  scope: 'Para',
  scopes: {
    account: 'Toda la cuenta',
    project: 'Un proyecto',
    key: 'Una clave de API',
    application: 'Una app conectada',
    schedule: 'Una programación',
    external_user: 'Una persona',
  },
  named: {
    project: (name) => `Proyecto ${name}`,
    key: (name) => `Clave de API ${name}`,
    application: (name) => `App ${name}`,
    schedule: (name) => `Programación ${name}`,
    external_user: (name) => `Persona ${name}`,
  },
  target: 'Cuál',
  noTargets: 'Aún no hay ninguno.',
  period: 'Periodo',
  periods: { month: 'Cada mes', day: 'Cada día' },
  credits: 'Créditos',
  use: {
    month: (used, credits) => `${used} de ${credits} créditos usados este mes`,
    day: (used, credits) => `${used} de ${credits} créditos usados hoy`,
  },
  resets: (time) => `se reinicia: ${time}`,
  saved: 'Presupuesto guardado.',
  remove: 'Quitar',
  removed: 'Presupuesto quitado.',
  removeTitle: (name) => `¿Quitar el presupuesto? (${name})`,
  removeBody: 'El trabajo que espera en este límite se reanuda.',
  ofReply: 'Presupuesto de cada respuesta',
  ofReplyLead:
    'Lo máximo que puede costar una respuesta de esta tarea con sus subtareas. Una tarea que espera en su límite se reanuda.',
};
