import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { restoreMemory } from '../../store/memory/memory-writes.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfMemory, placeFields } from './memory-place.ts';

export const memoryRestore = defineOperation('POST', 'memory.restore', {
  summary: 'Makes a whole memory what it was at a moment.',
  details:
    'Every file that differs gets a new version, or is deleted; nothing is lost, so a restoration can be undone by another. 412 if versions of that time are gone.',
  access: 'all_tasks',
  request: z.object({
    ...placeFields,
    at: z.number().min(0).max(99_999_999_999).meta({ description: 'Unix time in seconds; a whole second counts to its end.' }),
  }),
  response: z.object({
    restored: z.array(z.string()).meta({ description: 'The paths that were changed.' }),
  }),
  async handle({ scope, id, at }, context) {
    const restored = await context.write(restoreMemory, {
      ...keyOfMemory({ scope, id }, context),
      atMs: Number.isInteger(at) ? at * 1000 + 999 : Math.floor(at * 1000),
      author: actorOf(context.principal),
      now: context.now,
    });
    return { restored: restored.map(({ path }) => path).toSorted() };
  },
});
