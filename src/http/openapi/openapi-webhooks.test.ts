import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sampleEvent, sampleEventTypes } from '../../rules/webhooks/sample-event.ts';
import { renderEvent } from '../../rules/webhooks/webhook-body.ts';
import type { Report } from '../../rules/webhooks/webhook-report.ts';
import { describeWebhooks } from './openapi-webhooks.ts';

const { webhooks, schemas } = describeWebhooks();
const ajv = new Ajv2020({ strict: false });

/** Also refuses fields that the schema does not name, which receivers would not know of. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner ? { additionalProperties: false, ...inner } : inner;
}

function problemsOf(body: string): unknown {
  const { event_type: type } = JSON.parse(body) as { event_type: string };
  const check = ajv.compile(closed(schemas.get(`webhook.${type}`)) as AnySchema);
  void check(JSON.parse(body));
  return check.errors;
}

const task = { taskId: 'T1', title: 'A title', baseUrl: 'https://errand.example.com' };
const full = { ...task, metadata: { order: '7' }, externalUserId: 'u', scheduleId: 's' };
const stopped = {
  kind: 'stopped',
  seq: 7,
  message: 'Done.',
  attachments: [],
  reason: 'finish',
  by: 'agent',
  output: null,
} as const;
const file = { filename: 'a.md', url: 'https://files.example/a', bytes: 5 };

describe('the described webhooks', () => {
  it('are the events that exist', () => {
    expect(Object.keys(webhooks).toSorted()).toEqual([...sampleEventTypes].toSorted());
  });

  it.each(sampleEventTypes)('fit the sample of %s, with every field named', (type) => {
    expect(problemsOf(sampleEvent(type, 'T1', 'https://errand.example.com').body)).toBeNull();
  });

  it('fit everything that an event can have', () => {
    const reports: Report[] = [
      { kind: 'created' },
      { ...stopped, output: { success: true, value: { price: 3 }, error: null } },
      { ...stopped, output: { success: false, value: null, error: 'not found' } },
      { ...stopped, reason: 'ask', isOutOfBudget: true },
      { ...stopped, by: 'user' },
      { ...stopped, by: 'error' },
    ];
    for (const report of reports) {
      const event = renderEvent(report, full, 'v2', { message: '', attachments: [file] });
      expect([report, problemsOf(event?.body ?? '')]).toEqual([report, null]);
    }
  });
});
