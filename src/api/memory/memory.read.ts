import { z } from 'zod';
import { readMemory } from '../../store/memory/memory-reads.ts';
import { queryInteger } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { memoryFileObject, presentMemoryFile } from './memory-object.ts';
import { keyOfMemory, pathField, placeFields, readMemoryPath } from './memory-place.ts';

export const memoryRead = defineOperation('GET', 'memory.read', {
  summary: 'Returns a file of a memory, or one of its former versions.',
  access: 'all_tasks',
  request: z.object({
    ...placeFields,
    path: pathField,
    version: queryInteger(0, 999_999_999, 0).meta({ description: 'A version from memory.versions; the current one by default.' }),
  }),
  response: z.object({ memory: memoryFileObject.extend({ content: z.string() }).meta({ id: 'MemoryText' }) }),
  async handle({ scope, id, path, version }, context) {
    const key = keyOfMemory({ scope, id }, context);
    const wanted = { ...key, path: readMemoryPath(path), version: version === 0 ? null : version };
    const { content, ...file } = await context.read(readMemory, wanted);
    return { memory: { ...presentMemoryFile(file), content } };
  },
});
