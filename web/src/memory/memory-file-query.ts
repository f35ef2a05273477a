import { queryOptions } from '@tanstack/react-query';
import { errand } from '../api/errand.ts';
import { keyOf, type MemoryPlace } from './memory-place.ts';

/** A file of a memory with its content; a former one with a version. */
export function memoryFileQuery(place: MemoryPlace, path: string, version?: number) {
  return queryOptions({
    queryKey: [...keyOf(place), 'file', path, version ?? 'current'],
    queryFn: async ({ signal }) =>
      (await errand.memory.read({ ...place, path, ...(version !== undefined && { version }) }, { signal })).memory,
  });
}
