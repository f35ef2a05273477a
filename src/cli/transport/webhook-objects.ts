import { z } from 'zod';

// What commands read of webhooks and their listeners.

const id = z.string();
const created_at = z.number();

export const webhook = { id, url: z.string(), status: z.string(), created_at };
const attempt = z.looseObject({ status: z.number().nullable(), error: z.string().nullable() });
export const delivery = {
  id,
  event_id: id,
  status: z.string(),
  created_at,
  attempt_count: z.number(),
  attempts: z.array(attempt),
};
export const sampleAnswer = z.looseObject({ url: z.string(), status: z.number().nullable(), error: z.string().nullable() });
export const listener = z.looseObject({ id, secret: z.string() });
export const keptEvent = {
  id,
  event_id: id,
  event_type: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
};
