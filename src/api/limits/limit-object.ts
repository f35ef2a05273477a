import { z } from 'zod';
import { limitScopes } from '../../rules/limits/running-limit.ts';
import type { RunningLimitUse } from '../../store/limits/running-limits.ts';

/** A limit of running tasks (docs/build/running-tasks.md). */
export const limitObject = z
  .object({
    scope: z.enum(limitScopes),
    id: z.string().meta({ description: 'Of the account, project, or key.' }),
    running_tasks: z.int().meta({ description: 'How many of its tasks run at once.' }),
    running: z.int().meta({ description: 'How many run now.' }),
  })
  .meta({ id: 'RunningLimit' });

export function presentLimit({ scope, scopeId, tasks, running }: RunningLimitUse): z.input<typeof limitObject> {
  return { scope, id: scopeId, running_tasks: tasks, running };
}
