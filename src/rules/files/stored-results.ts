import type { DeliveredFile, TaskEvent } from '../events/task-event.ts';
import { addUse, type StorageUse } from './storage-quota.ts';

/** What a delivered file takes: both forms of a deck. */
function measureDelivery({ attachment }: DeliveredFile): StorageUse {
  const { bytes, forms } = attachment;
  return forms ? { bytes: forms.html.bytes + forms.pptx.bytes, files: 2 } : { bytes, files: 1 };
}

/** What a task has stored outside its workspace, with what this event keeps: a delivery, a checkpoint of a site, pictures that were made or shown. */
export function addStored(
  stored: StorageUse,
  event: Extract<TaskEvent, { type: 'file_delivered' | 'site_made' | 'tool_finished' | 'picture_finished' }>,
): StorageUse {
  if (event.type === 'file_delivered') return addUse(stored, measureDelivery(event));
  if (event.type === 'site_made' || event.type === 'picture_finished') return addUse(stored, { bytes: event.bytes, files: 1 });
  return (event.pictures ?? []).reduce((sum, { bytes }) => addUse(sum, { bytes, files: 1 }), stored);
}
