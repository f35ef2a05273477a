import { z } from 'zod';

// What commands read of models, accounts and workers of an instance.

const id = z.string();
const created_at = z.number();

const modelAccess = {
  profile: z.string(),
  models: z.array(z.string()),
  base_url: z.string().nullable(),
  has_api_key: z.boolean(),
  api_key_tail: z.string().nullable(),
  problem: z.string().nullable(),
};
export const profileModels = { ...modelAccess, source: z.string(), changed_at: z.number().nullable() };
export const modelKey = { ...modelAccess, changed_at: z.number() };
export const modelTest = { model: z.string(), ok: z.boolean(), latency_ms: z.number(), error: z.string().nullable() };
export const managedAccount = {
  id,
  email: z.string(),
  plan: z.string(),
  status: z.string(),
  quotas: z.looseObject({ max_running_tasks: z.number().nullable(), weight: z.number(), retention_days: z.number().nullish() }),
  created_at,
};
export const managedDetail = z.looseObject({
  ...managedAccount,
  has_two_step: z.boolean(),
  usage: z.looseObject({ total_credits: z.number() }),
  storage: z.object({ bytes: z.number(), files: z.number(), max_bytes: z.number(), max_files: z.number() }),
  packed_workspaces: z.object({ count: z.number(), bytes: z.number() }).default({ count: 0, bytes: 0 }),
  tasks: z.record(z.string(), z.number()),
  keys: z.array(z.looseObject({ id, name: z.string(), tail: z.string() })),
});
export const accountArchive = z.looseObject({
  account_id: id,
  rows: z.number(),
  files: z.number(),
  workspaces: z.number(),
  bytes: z.number(),
  enter_again: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string() })),
});
export const worker = {
  id,
  status: z.string(),
  tasks: z.number(),
  concurrency: z.number().nullable(),
  host: z.string().nullable(),
  started_at: z.number().nullable(),
};
