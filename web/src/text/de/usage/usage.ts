import { plural } from '../../plural.ts';
import type { usage as source } from '../../en/usage/usage.ts';

export const usage: typeof source = {
  title: 'Nutzung',
  lead: 'Abgerechnet wird je Antwort nach Tokens; mindestens 1 Credit.',
  available: 'Verfügbare Credits',
  plan: (name) => `Tarif ${name}`,
  pace: (count, text) =>
    plural('de', count, {
      one: `${text} Credit pro Tag in den letzten 7 Tagen.`,
      other: `${text} Credits pro Tag in den letzten 7 Tagen.`,
    }),
  paceCovered: 'Die täglichen Credits reichen dafür.',
  paceLasts: (count, text) =>
    plural('de', count, {
      one: `Bei diesem Verbrauch reichen die Credits noch ${text} Tag.`,
      other: `Bei diesem Verbrauch reichen die Credits noch ${text} Tage.`,
    }),
  exportCsv: 'CSV herunterladen',
  refill: (time) => `Neue tägliche Credits: ${time}.`,
  kinds: { refresh: 'Täglich', periodic: 'Monatlich', event: 'Aktion', addon: 'Gewährt', free: 'Erstattungsguthaben' },
  byDay: 'Nutzung der letzten 30 Tage',
  teamByDay: 'Nutzung des Teams in den letzten 30 Tagen',
  total: (count, text) => plural('de', count, { one: `${text} Credit insgesamt`, other: `${text} Credits insgesamt` }),
  creditsUsed: (count, text) => plural('de', count, { one: `${text} Credit`, other: `${text} Credits` }),
  team: 'Team',
  teamLead: 'Nutzung nach Mitgliedern in den letzten 30 Tagen.',
  member: 'Mitglied',
  tasks: 'Aufgaben',
  ledger: 'Buchungen',
  nothing: 'Noch keine Buchungen',
  nothingBody: 'Hier erscheinen verbrauchte und erhaltene Credits.',
  subject: 'Beschreibung',
  type: 'Art',
  types: { cost: 'Verbraucht', refund: 'Erstattet', grant: 'Gewährt' },
  titles: {
    'Daily credits': 'Tägliche Credits',
    'Monthly credits': 'Monatliche Credits',
    'Deleted conversation': 'Gelöschte Unterhaltung',
  },
  time: 'Zeit',
  credits: 'Credits',
};
