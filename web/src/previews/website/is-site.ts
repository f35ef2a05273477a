import type { Artifact } from '@errand/client/operations.ts';

/** Whether an artifact opens at its own URL instead of being downloaded. */
export function isSite({ file_type }: Artifact): boolean {
  return file_type === 'website' || file_type === 'webdev';
}
