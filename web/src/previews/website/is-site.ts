import type { Artifact } from '@errand/client/operations.ts';

/** Whether an artifact is opened at an address of its own instead of downloaded. */
export function isSite({ file_type }: Artifact): boolean {
  return file_type === 'website' || file_type === 'webdev';
}
