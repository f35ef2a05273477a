import { z } from 'zod';
import { describeSchemas, type JsonObject, schemaPlace } from './openapi-schemas.ts';

const eventShape = { event_id: z.string().meta({ description: 'The same in every attempt: receivers that store it act once.' }) };

const taskShape = {
  task_id: z.string(),
  task_title: z.string(),
  task_url: z.string(),
  metadata: z.record(z.string(), z.string()).optional().meta({ description: 'Absent if empty.' }),
  external_user_id: z.string().optional(),
  schedule_id: z.string().optional(),
};

const fileSchema = z.object({ file_name: z.string(), url: z.string(), size_bytes: z.int() });

const outputSchema = z.object({ success: z.boolean(), value: z.unknown(), error: z.string().nullable() });

/** The bodies that webhooks receive, by the type of their event. */
const webhookBodies = {
  ping: z.object({ ...eventShape, event_type: z.literal('ping') }).meta({ description: 'A test message at the registration.' }),
  task_created: z
    .object({ ...eventShape, event_type: z.literal('task_created'), task_detail: z.object(taskShape) })
    .meta({ description: 'A task was created with an API key or by an application.' }),
  task_stopped: z
    .object({
      ...eventShape,
      event_type: z.literal('task_stopped'),
      task_detail: z.object({
        ...taskShape,
        message: z.string(),
        attachments: z.array(fileSchema),
        stop_reason: z.enum(['finish', 'ask']),
        stopped_by: z.enum(['agent', 'user', 'error']),
        waiting_for_event_type: z.literal('budget').optional(),
        structured_output: outputSchema.optional().meta({ description: 'Present if a schema applied.' }),
      }),
    })
    .meta({ description: 'A task finished, asked a question, was stopped by its user, or failed.' }),
  task_progress: z
    .object({
      ...eventShape,
      event_type: z.literal('task_progress'),
      progress_detail: z.object({ task_id: z.string(), progress_type: z.literal('plan_update'), message: z.string() }),
    })
    .meta({ description: 'The plan of a task changed; only for webhooks registered through v1.' }),
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const signatures = [
  header('webhook-id', 'The id of the event.'),
  header('webhook-timestamp', 'Unix time in seconds of this attempt.'),
  header('webhook-signature', 'Signatures with the secret of the webhook and the key of the instance (Standard Webhooks).'),
];

/** What the service sends to webhooks: requests by the type of their event, and their schemas. */
export function describeWebhooks(): { webhooks: JsonObject; schemas: Map<string, JsonObject> } {
  const nameOf = (type: string) => `webhook.${type}`;
  const named = Object.entries(webhookBodies).map(([type, schema]) => [nameOf(type), schema] as const);
  const webhooks = Object.entries(webhookBodies).map(([type, schema]) => [
    type,
    {
      post: {
        operationId: nameOf(type),
        summary: schema.description ?? type,
        tags: ['webhook'],
        parameters: signatures,
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: schemaPlace + nameOf(type) } } } },
        responses: { '2XX': { description: 'Received. Everything else is repeated for 75 hours.' } },
      },
    },
  ]);
  return { webhooks: Object.fromEntries(webhooks) as JsonObject, schemas: describeSchemas(new Map(named), 'output') };
}
