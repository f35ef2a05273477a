import { z } from 'zod';
import { eachPerson, limitScopes } from '../../rules/limits/running-limit.ts';
import type { RunningLimitUse } from '../../store/limits/running-limits.ts';

/** The id of what is limited; null for each person of a product without a limit of their own. */
export const limitedId = z.string().nullable().meta({
  description:
    'Id of the account, project, or key, or the `external_user_id` of a person, that is limited; null for the limit of each person without one of their own.',
});

/** The id of what is limited, as it is shown. */
export function presentLimitedId(scopeId: string): string | null {
  return scopeId === eachPerson ? null : scopeId;
}

/** A limit of running tasks (docs/build/running-tasks.md). */
export const limitObject = z
  .object({
    scope: z.enum(limitScopes),
    id: limitedId,
    running_tasks: z.int().meta({ description: 'The most of its tasks that run at once.' }),
    running: z.int().nullable().meta({ description: 'How many run now; null for the limit of each person.' }),
  })
  .meta({ id: 'RunningLimit' });

export function presentLimit({ scope, scopeId, tasks, running }: RunningLimitUse): z.input<typeof limitObject> {
  return { scope, id: presentLimitedId(scopeId), running_tasks: tasks, running };
}
