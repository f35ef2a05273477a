import { z } from 'zod';

// What commands read of keys, teams, applications, and brands.

const id = z.string();
const created_at = z.number();

export const key = { id, name: z.string(), created_at };
/** What limits a key of an account. */
export const keyLimits = { scope: z.string(), expires_at: z.number().nullable() };
export const team = { id, name: z.string(), member_count: z.number(), created_at };
export const member = { account_id: id, email: z.string(), role: z.string(), joined_at: z.number() };
export const app = {
  client_id: id,
  name: z.string(),
  type: z.string(),
  public_client: z.boolean(),
  application_type: z.string().nullish(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  created_at,
};
export const appSecret = z.looseObject({ id, tail: z.string(), created_at });
export const identity = {
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  last_used_at: z.number().nullable(),
};
export const securityEvent = { kind: z.string(), actor: z.string(), detail: z.record(z.string(), z.string()), created_at };

const brandFile = z.looseObject({ filename: z.string() });
export const brand = z.looseObject({
  name: z.string(),
  theme: z.string(),
  colors: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  fonts: z.record(z.string(), z.union([z.string(), brandFile])),
  logo: brandFile.nullable(),
  templates: z.record(z.string(), brandFile),
  footer: z.string(),
});
