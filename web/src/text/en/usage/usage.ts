import { plural } from '../../plural.ts';

export const usage = {
  title: 'Usage',
  lead: 'Billed per turn by tokens; minimum 1 credit.',
  available: 'Available credits',
  plan: (name: string) => `${name} plan`,
  pace: (count: number, text: string) =>
    plural('en', count, {
      one: `${text} credit per day over the last 7 days.`,
      other: `${text} credits per day over the last 7 days.`,
    }),
  paceCovered: 'Your daily credits cover this.',
  paceLasts: (count: number, text: string) =>
    plural('en', count, {
      one: `At this rate, your credits last ${text} more day.`,
      other: `At this rate, your credits last ${text} more days.`,
    }),
  exportCsv: 'Download CSV',
  refill: (time: string) => `Daily credits refresh on ${time}.`,
  kinds: { refresh: 'Daily', periodic: 'Monthly', event: 'Promotional', addon: 'Granted', free: 'Refund balance' },
  byDay: 'Usage in the last 30 days',
  teamByDay: 'Team usage in the last 30 days',
  total: (count: number, text: string) => plural('en', count, { one: `${text} credit total`, other: `${text} credits total` }),
  creditsUsed: (count: number, text: string) => plural('en', count, { one: `${text} credit`, other: `${text} credits` }),
  team: 'Team',
  teamLead: 'Usage by member in the last 30 days.',
  member: 'Member',
  tasks: 'Tasks',
  ledger: 'Transactions',
  nothing: 'No transactions yet',
  nothingBody: 'Credits you use or receive appear here.',
  subject: 'Description',
  type: 'Type',
  types: { cost: 'Used', refund: 'Refunded', grant: 'Granted' },
  /** Titles of the service's own transactions. */
  titles: {
    'Daily credits': 'Daily credits',
    'Monthly credits': 'Monthly credits',
    'Deleted conversation': 'Deleted conversation',
  } as Record<string, string>,
  time: 'Time',
  credits: 'Credits',
};
