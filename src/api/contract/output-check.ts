import type { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';

/** What a schema lets out of an answer; an answer that breaks it is our mistake. `name` is that of the operation. */
export function checkOutput(name: string, schema: z.ZodObject, answer: unknown): Record<string, unknown> {
  const checked = schema.safeParse(answer);
  if (checked.success) return checked.data;
  const detail = `${name} broke its response schema`;
  throw new Fault('internal', 'Something went wrong inside the service.', { cause: checked.error, detail });
}
