import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { formatTime, reportList } from '../output/print.ts';
import type { ResultOf } from '../transport/operations.ts';
import { defineRequest } from './request-command.ts';

type Delivery = ResultOf<'webhook.deliveries'>['data'][number];

/** The outcome of the last attempt: the status of the receiver, or why there is none. */
function describeLast({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return 'not sent yet';
  return last.status === null ? cleanLine(last.error ?? 'failed', 60) : `HTTP ${last.status}`;
}

const list = defineRequest({
  name: 'webhook list',
  summary: 'List the webhooks of an account.',
  examples: [['webhook list', 'their URLs, and whether they are active']],
  operation: 'webhook.list',
  report: ({ data }) =>
    reportList(data, 'no webhooks', {
      ID: ({ id }) => id,
      STATUS: ({ status }) => status,
      'CREATED (UTC)': ({ created_at }) => formatTime(created_at),
      URL: ({ url }) => url,
    }),
});

const deliveries = defineRequest({
  name: 'webhook deliveries',
  summary: 'List webhook deliveries and their outcomes, newest first.',
  options: {
    webhook: { type: 'string', value: 'ID', about: 'Only deliveries to this webhook.' },
    status: {
      type: 'string',
      choices: ['pending', 'delivered', 'failed', 'skipped'],
      about: 'Only deliveries with this status.',
    },
  },
  examples: [['webhook deliveries --status failed', 'those that no receiver accepted']],
  operation: 'webhook.deliveries',
  input: ({ options }) => ({ webhook_id: options.webhook, status: options.status }),
  report: ({ data }) =>
    reportList(data, 'no deliveries', {
      ID: ({ id }) => id,
      STATUS: ({ status }) => status,
      ATTEMPTS: ({ attempt_count }) => String(attempt_count),
      'CREATED (UTC)': ({ created_at }) => formatTime(created_at),
      LAST: describeLast,
      EVENT: ({ event_id }) => cleanLine(event_id, 80),
    }),
});

const resend = defineRequest({
  name: 'webhook resend',
  summary: 'Send a delivery again.',
  args: { DELIVERY_ID: 'Delivery ID, as shown by webhook deliveries.' },
  examples: [['webhook resend 0Ab…', 'the same event with the same ID and body, and a new signature']],
  operation: 'webhook.resend',
  input: ({ args }) => ({ delivery_id: args.DELIVERY_ID }),
  report: (_, { args }) => ({ text: `queued ${args.DELIVERY_ID}` }),
});

const enable = defineRequest({
  name: 'webhook enable',
  summary: 'Reactivate a webhook that was disabled after failures.',
  args: { WEBHOOK_ID: 'Webhook ID, as shown by webhook list.' },
  examples: [['webhook enable 0Ab…', 'new events go to its URL again']],
  operation: 'webhook.enable',
  input: ({ args }) => ({ webhook_id: args.WEBHOOK_ID }),
  report: (_, { args }) => ({ text: `enabled ${args.WEBHOOK_ID}` }),
});

const rotateKeys = defineRequest({
  name: 'webhook rotate-keys',
  summary: 'Create new webhook signing keys; the old ones stay valid for a week.',
  examples: [['webhook rotate-keys', 'receivers then have to fetch webhook.publicKey again']],
  operation: 'webhook.rotateKeys',
  report: (keys) => ({ text: `new signing keys: ${keys.standard_webhooks_public_key}` }),
});

/** `errand webhook …` */
export const webhookCommands = [list, deliveries, resend, enable, rotateKeys];
