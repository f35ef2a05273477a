import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { exitCode, UsageFault } from '../../exit-code.ts';
import { columns, reportList, reportRows } from '../../output/print.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineRequest, reportDone } from '../request-command.ts';

type Delivery = ResultOf<'webhook.deliveries'>['data'][number];

/** The status of the receiver, or why there is none. */
function describeAnswer({ status, error }: { status: number | null; error: string | null }): string {
  return status === null ? cleanLine(error ?? 'failed', 60) : `HTTP ${status}`;
}

/** The outcome of the last attempt. */
function describeLast({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  return last ? describeAnswer(last) : 'not sent yet';
}

const list = defineRequest('webhook list', 'webhook.list', {
  summary: 'List the webhooks of an account.',
  examples: [['webhook list', 'their URLs, and whether they are active']],
  report: reportRows('no webhooks', { ...columns.id, ...columns.status, ...columns.created, URL: ({ url }) => url }),
});

const sampleEvents = ['task_created', 'task_stopped', 'task_progress', 'ping'];

/** Wrong before anything is asked, so that nobody takes the exit code for that of a receiver. */
function readEvent(text: string): string {
  if (sampleEvents.includes(text)) return text;
  throw new UsageFault(`EVENT must be one of ${sampleEvents.join(', ')}`);
}

const trigger = defineRequest('webhook trigger', 'webhook.trigger', {
  summary: 'Send a sample event to the webhooks of an account, to test their receivers.',
  args: { EVENT: 'task_created, task_stopped, task_progress, or ping.' },
  options: { url: { type: 'string', value: 'URL', about: 'Send it only to this URL, registered or not.' } },
  details: 'Exit code: 0 if every receiver answered with 2xx, else 1.',
  examples: [
    ['webhook trigger task_stopped', 'the status that each receiver answered with'],
    ['webhook trigger task_created --url https://hooks.example.com/new', 'before it is registered'],
  ],
  input: ({ args, options }) => ({ event: readEvent(args.EVENT), url: options.url }),
  report: ({ data }) => ({
    ...reportList(data, 'no webhooks', { URL: ({ url }) => url, ANSWER: describeAnswer }),
    exit: data.every(({ status }) => status !== null && status >= 200 && status < 300) ? exitCode.done : exitCode.failed,
  }),
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
export const webhookCommands = [list, trigger, deliveries, resend, enable, rotateSecret, rotateKeys];
