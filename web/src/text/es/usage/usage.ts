import { plural } from '../../plural.ts';
import type { usage as source } from '../../en/usage/usage.ts';

export const usage: typeof source = {
  title: 'Uso',
  lead: 'Se cobra por respuesta según los tokens; mínimo 1 crédito.',
  available: 'Créditos disponibles',
  plan: (name) => `Plan ${name}`,
  pace: (count, text) =>
    plural('es', count, {
      one: `${text} crédito al día en los últimos 7 días.`,
      other: `${text} créditos al día en los últimos 7 días.`,
    }),
  paceCovered: 'Tus créditos diarios lo cubren.',
  paceLasts: (count, text) =>
    plural('es', count, {
      one: `A este ritmo, tus créditos duran ${text} día más.`,
      other: `A este ritmo, tus créditos duran ${text} días más.`,
    }),
  exportCsv: 'Descargar CSV',
  refill: (time) => `Nuevos créditos diarios: ${time}.`,
  kinds: { refresh: 'Diarios', periodic: 'Mensuales', event: 'Promoción', addon: 'Concedidos', free: 'Saldo de reembolsos' },
  byDay: 'Uso de los últimos 30 días',
  teamByDay: 'Uso del equipo en los últimos 30 días',
  total: (count, text) => plural('es', count, { one: `${text} crédito en total`, other: `${text} créditos en total` }),
  creditsUsed: (count, text) => plural('es', count, { one: `${text} crédito`, other: `${text} créditos` }),
  team: 'Equipo',
  teamLead: 'Uso por miembro en los últimos 30 días.',
  member: 'Miembro',
  tasks: 'Tareas',
  ledger: 'Movimientos',
  nothing: 'Aún no hay movimientos',
  nothingBody: 'Aquí aparecen los créditos que usas o recibes.',
  subject: 'Descripción',
  type: 'Tipo',
  types: { cost: 'Usados', refund: 'Reembolsados', grant: 'Concedidos' },
  titles: {
    'Daily credits': 'Créditos diarios',
    'Monthly credits': 'Créditos mensuales',
    'Deleted conversation': 'Conversación eliminada',
  },
  time: 'Hora',
  credits: 'Créditos',
};
