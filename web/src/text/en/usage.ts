import { plural } from '../plural.ts';

export const usage = {
  title: 'Usage',
  lead: 'Credits are charged each time a task stops, by what its model read and wrote, and at least one.',
  available: 'Credits available',
  plan: (name: string) => `${name} plan`,
  pace: (count: number, text: string) =>
    plural('en', count, {
      one: `${text} credit a day in the last seven days.`,
      other: `${text} credits a day in the last seven days.`,
    }),
  paceCovered: 'At this pace the daily credits are enough.',
  paceLasts: (count: number, text: string) =>
    plural('en', count, {
      one: `At this pace the rest lasts ${text} more day.`,
      other: `At this pace the rest lasts ${text} more days.`,
    }),
  exportCsv: 'Download CSV',
  refill: (time: string) => `Daily credits are topped up on ${time}.`,
  kinds: { refresh: 'Daily', periodic: 'Monthly', event: 'From events', addon: 'Granted', free: 'Refunded, less what is owed' },
  byDay: 'Used in the last 30 days',
  teamByDay: 'Used by the team in the last 30 days',
  total: (count: number, text: string) => plural('en', count, { one: `${text} credit in all`, other: `${text} credits in all` }),
  creditsUsed: (count: number, text: string) => plural('en', count, { one: `${text} credit`, other: `${text} credits` }),
  team: 'Team',
  teamLead: 'What each member used in the last 30 days.',
  member: 'Member',
  tasks: 'Tasks',
  ledger: 'Records',
  nothing: 'No records yet',
  nothingBody: 'What tasks use, and what you are granted, is listed here.',
  subject: 'Description',
  type: 'Type',
  types: { cost: 'Used', refund: 'Refunded', grant: 'Granted' },
  /** Titles that the service itself gives to records. */
  titles: {
    'Daily credits': 'Daily credits',
    'Monthly credits': 'Monthly credits',
    'Deleted conversation': 'Deleted conversation',
  } as Record<string, string>,
  time: 'Time',
  credits: 'Credits',
};
