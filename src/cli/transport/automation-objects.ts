import { z } from 'zod';

// What commands read of schedules, triggers, budgets and policies.

const id = z.string();
const created_at = z.number();

export const schedule = {
  ...{ id, name: z.string(), status: z.string(), cron: z.string().nullable(), interval_seconds: z.number().nullable() },
  ...{ time_zone: z.string(), next_run_at: z.number().nullable(), last_outcome: z.string().nullable(), runs: z.number() },
};
export const scheduleRun = {
  ...{ due_at: z.number(), outcome: z.string().nullable(), credit_usage: z.number() },
  ...{ task_id: id.optional(), reason: z.string().optional() },
};
export const trigger = {
  id,
  name: z.string(),
  type: z.string(),
  url: z.string().optional(),
  address: z.string().optional(),
  folder: z.looseObject({ root: z.string(), path: z.string(), pattern: z.string() }).optional(),
  bucket: z.looseObject({ endpoint: z.string(), name: z.string(), prefix: z.string(), pattern: z.string() }).optional(),
  status: z.string(),
  created_at,
  verification: z.looseObject({ type: z.string(), secret: z.string().optional() }),
};
export const triggerEvent = {
  ...{ id, created_at, outcome: z.string(), notes: z.array(z.string()) },
  ...{ task_id: z.string().optional(), error: z.string().optional() },
};
export const runningLimit = { scope: z.string(), id: id.nullable(), running_tasks: z.number(), running: z.number().nullable() };
export const budget = {
  scope: z.string(),
  id: z.string(),
  period: z.string(),
  credits: z.number(),
  used: z.number(),
  reserved: z.number(),
  money: z.looseObject({ amount: z.number(), currency: z.string() }),
  resets_at: z.number(),
};
export const policy = {
  scope: z.string(),
  id: z.string(),
  rules: z.array(
    z.looseObject({ tool: z.string(), connector: id.optional(), argument: z.string().optional(), decision: z.string() }),
  ),
  updated_at: z.number(),
};

/** What a person is notified of, where and when. */
export const notificationSettings = z.looseObject({
  topics: z.record(z.string(), z.array(z.string())),
  time_zone: z.string(),
  quiet_hours: z.string(),
  digest: z.string(),
  digest_time: z.string(),
});
export const recipe = {
  id: z.string(),
  name: z.string(),
  fields: z.array(z.looseObject({ name: z.string(), required: z.boolean() })),
};
