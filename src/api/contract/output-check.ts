import type { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';

/** Reduces a response to what its schema allows. A response that does not conform is our mistake. `name` is the operation's name. */
export function checkOutput(name: string, schema: z.ZodObject, answer: unknown): Record<string, unknown> {
  const checked = schema.safeParse(answer);
  if (checked.success) return checked.data;
  const detail = `${name} broke its response schema`;
  throw new Fault('internal', 'Something went wrong inside the service.', { cause: checked.error, detail });
}
