import { z } from 'zod';
import { listMemory } from '../../store/memory/memory-reads.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { memoryFileObject, presentMemoryFile } from './memory-object.ts';
import { keyOfMemory, placeFields } from './memory-place.ts';

export const memoryList = defineOperation('GET', 'memory.list', {
  summary: 'Lists the files of a memory by path.',
  access: 'all_tasks',
  request: z.object({ ...placeFields, limit: queryInteger(1, 256, 100), cursor }),
  response: z.object({ data: z.array(memoryFileObject), ...pageEnd }),
  async handle({ scope, id, limit, cursor: from }, context) {
    const key = keyOfMemory({ scope, id }, context);
    const { items, end } = await readListPage(
      { query: ['memory.list', key], cursor: from, limit },
      // A position in a cursor is ASCII.
      (position, count) => {
        const afterPath = position === null ? null : decodeURIComponent(position);
        return context.read(listMemory, { ...key, afterPath, limit: count });
      },
      ({ path }) => encodeURIComponent(path),
    );
    return { data: items.map(presentMemoryFile), ...end };
  },
});
