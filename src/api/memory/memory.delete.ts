import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { writeMemory } from '../../store/memory/memory-writes.ts';
import { defineOperation } from '../contract/operation.ts';
import { ifVersionField, keyOfMemory, pathField, placeFields, readMemoryPath } from './memory-place.ts';

export const memoryDelete = defineOperation('POST', 'memory.delete', {
  summary: 'Deletes a file of a memory. Its versions stay, so memory.restore can bring it back.',
  access: 'all_tasks',
  request: z.object({ ...placeFields, path: pathField, if_version: ifVersionField }),
  response: z.object({ path: z.string(), version: z.int().meta({ description: 'The version that is the deletion.' }) }),
  async handle({ scope, id, path, if_version: ifVersion }, context) {
    const { version } = await context.write(writeMemory, {
      ...keyOfMemory({ scope, id }, context),
      path: readMemoryPath(path),
      content: null,
      ifVersion: ifVersion ?? null,
      untrusted: null,
      author: actorOf(context.principal),
      now: context.now,
    });
    return { path, version };
  },
});
