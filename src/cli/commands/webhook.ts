import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { columns, reportRows } from '../output/print.ts';
import type { ResultOf } from '../transport/operations.ts';
import { defineRequest, reportDone } from './request-command.ts';

type Delivery = ResultOf<'webhook.deliveries'>['data'][number];

/** The outcome of the last attempt: the status of the receiver, or why there is none. */
function describeLast({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return 'not sent yet';
  return last.status === null ? cleanLine(last.error ?? 'failed', 60) : `HTTP ${last.status}`;
}

const list = defineRequest('webhook list', 'webhook.list', {
  summary: 'List the webhooks of an account.',
  examples: [['webhook list', 'their URLs, and whether they are active']],
  report: reportRows('no webhooks', { ...columns.id, ...columns.status, ...columns.created, URL: ({ url }) => url }),
});

const deliveries = defineRequest('webhook deliveries', 'webhook.deliveries', {
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
  input: ({ options }) => ({ webhook_id: options.webhook, status: options.status }),
  report: reportRows('no deliveries', {
    ...columns.id,
    ...columns.status,
    ATTEMPTS: ({ attempt_count }) => String(attempt_count),
    ...columns.created,
    LAST: describeLast,
    EVENT: ({ event_id }) => cleanLine(event_id, 80),
  }),
});

const resend = defineRequest('webhook resend', 'webhook.resend', {
  summary: 'Send a delivery again.',
  args: { DELIVERY_ID: 'Delivery ID, as shown by webhook deliveries.' },
  examples: [['webhook resend 0Ab…', 'the same event with the same ID and body, and a new signature']],
  report: reportDone('queued'),
});

const enable = defineRequest('webhook enable', 'webhook.enable', {
  summary: 'Reactivate a webhook that was disabled after failures.',
  args: { WEBHOOK_ID: 'Webhook ID, as shown by webhook list.' },
  examples: [['webhook enable 0Ab…', 'new events go to its URL again']],
  report: reportDone('enabled'),
});

const rotateKeys = defineRequest('webhook rotate-keys', 'webhook.rotateKeys', {
  summary: 'Create new webhook signing keys; the old ones stay valid for a week.',
  examples: [['webhook rotate-keys', 'receivers then have to fetch webhook.publicKey again']],
  report: (keys) => ({ text: `new signing keys: ${keys.standard_webhooks_public_key}` }),
});

const rotateSecret = defineRequest('webhook rotate-secret', 'webhook.rotateSecret', {
  summary: "Replace a webhook's secret; the old one stays valid for a week.",
  args: { WEBHOOK_ID: 'Webhook ID, as shown by webhook list.' },
  examples: [['webhook rotate-secret 0Ab…', 'shows the new secret, once']],
  report: ({ webhook }) => ({ text: webhook.secret }),
});

/** `errand webhook …` */
export const webhookCommands = [list, deliveries, resend, enable, rotateSecret, rotateKeys];
