import { z } from 'zod';
import type { MemoryFile } from '../../store/memory/memory-rows.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** A file of a memory, or a version of one (docs/build/memory.md). */
export const memoryFileObject = z
  .object({
    path: z.string(),
    bytes: z.int(),
    version: z.int().meta({ description: 'Counts the changes of this file, deletions too.' }),
    updated_at: unixTime,
    task_id: z.string().optional().meta({ description: 'The task that wrote it; absent if a person or program did.' }),
    author: z.string().meta({
      description: '`task`, `api_key:` with the id of the key, `app:` with the id of the application, `session:`, or `operator`.',
    }),
    is_tainted: z.boolean().meta({
      description:
        'Its writer had read pages of strangers, or it was derived from such a file. A task that reads it counts as having read them too.',
    }),
    is_private: z.boolean().meta({ description: 'Its writer had read private material, such as attached files.' }),
  })
  .meta({ id: 'MemoryFile' });

export function presentMemoryFile(file: MemoryFile): z.input<typeof memoryFileObject> {
  const { path, bytes, version, createdAtMs, taskId, author, untrusted, private: isPrivate } = file;
  return {
    ...{ path, bytes, version, author },
    updated_at: toUnixTime(createdAtMs),
    ...(taskId !== null && { task_id: taskId }),
    is_tainted: untrusted,
    is_private: isPrivate,
  };
}
