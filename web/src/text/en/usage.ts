import { plural } from '../plural.ts';

export const usage = {
  title: 'Usage',
  lead: 'Credits are counted when a task stops: by what its model read and wrote, at least one.',
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
  refill: (time: string) => `Daily credits are filled up on ${time}.`,
  kinds: { refresh: 'Daily', periodic: 'Monthly', event: 'From events', addon: 'Granted', free: 'Given back, less what is owed' },
  byDay: 'Used in the last 30 days',
  teamByDay: 'Used by the team in the last 30 days',
  total: (count: number, text: string) => plural('en', count, { one: `${text} credit in all`, other: `${text} credits in all` }),
  creditsUsed: (count: number, text: string) => plural('en', count, { one: `${text} credit`, other: `${text} credits` }),
  team: 'Team',
  teamLead: 'What each member used in the last 30 days.',
  member: 'Member',
  tasks: 'Tasks',
  ledger: 'Records',
  nothing: 'Nothing was used or granted yet.',
  subject: 'For',
  type: 'Kind',
  types: { cost: 'Used', refund: 'Given back', grant: 'Granted' },
  time: 'Time',
  credits: 'Credits',
};
