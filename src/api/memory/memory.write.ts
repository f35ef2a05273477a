import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { writeMemory } from '../../store/memory/memory-writes.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { memoryFileObject, presentMemoryFile } from './memory-object.ts';
import { ifVersionField, keyOfMemory, pathField, placeFields, readMemoryContent, readMemoryPath } from './memory-place.ts';

export const memoryWrite = defineOperation('POST', 'memory.write', {
  summary: 'Writes a file of a memory: a new version of it.',
  details: 'Tasks see it from their next turn, or their next command.',
  access: 'all_tasks',
  request: z.object({
    ...placeFields,
    path: pathField,
    content: z.string().meta({ description: 'The whole text; at most 65,536 bytes.' }),
    if_version: ifVersionField,
    is_tainted: optional(z.boolean()).meta({
      description: 'Sets or lifts the mark of text that strangers have influenced; by default the file keeps the one it has.',
    }),
  }),
  response: z.object({ memory: memoryFileObject }),
  async handle({ scope, id, path, content, if_version: ifVersion, is_tainted: isTainted }, context) {
    const file = await context.write(writeMemory, {
      ...keyOfMemory({ scope, id }, context),
      path: readMemoryPath(path),
      content: readMemoryContent(content),
      ifVersion: ifVersion ?? null,
      untrusted: isTainted ?? null,
      author: actorOf(context.principal),
      now: context.now,
    });
    return { memory: presentMemoryFile(file) };
  },
});
