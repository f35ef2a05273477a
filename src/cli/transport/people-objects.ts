import { z } from 'zod';

const [id, created_at] = [z.string(), z.number()];

/** Something that waits for a person. */
export const inboxItem = {
  ...{ id, type: z.string(), task_title: z.string(), text: z.string(), created_at },
  ...{ expires_at: z.number().optional(), decided_by: z.string().optional(), decided_by_name: z.string().optional() },
};

/** What a person wrote about a task. */
export const comment = {
  ...{ id, user_id: z.string(), email: z.string().optional(), text: z.string(), created_at },
  edited_at: z.number().optional(),
};
