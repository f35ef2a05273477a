import { z } from 'zod';
import { listMemoryVersions } from '../../store/memory/memory-reads.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { memoryFileObject, presentMemoryFile } from './memory-object.ts';
import { keyOfMemory, pathField, placeFields, readMemoryPath } from './memory-place.ts';

const versionObject = memoryFileObject.extend({ is_deletion: z.boolean() }).meta({ id: 'MemoryVersion' });

export const memoryVersions = defineOperation('GET', 'memory.versions', {
  summary: 'Lists the versions of a file of a memory, newest first, also of a deleted one.',
  access: 'all_tasks',
  request: z.object({ ...placeFields, path: pathField, limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(versionObject), ...pageEnd }),
  async handle({ scope, id, path, limit, cursor: from }, context) {
    const file = { ...keyOfMemory({ scope, id }, context), path: readMemoryPath(path) };
    const { items, end } = await readListPage(
      { query: ['memory.versions', file], cursor: from, limit },
      (position, count) => {
        const beforeVersion = position === null ? null : Number(position);
        return context.read(listMemoryVersions, { ...file, beforeVersion, limit: count });
      },
      ({ version }) => String(version),
    );
    return { data: items.map((item) => ({ ...presentMemoryFile(item), is_deletion: item.isDeletion })), ...end };
  },
});
