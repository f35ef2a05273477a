import { reminderMark } from '../../context/plan-reminder.ts';
import { describeFetched, type FileFetched } from '../../events/awaited-file.ts';
import type { TaskEvent } from '../../events/task-event.ts';
import { placeAttachments } from '../../messages/attachment-place.ts';
import { addEntry, type Draft } from '../task-draft.ts';
import { applyTranscription } from './voice-transcription.ts';

type Transcribed = Extract<TaskEvent, { type: 'voice_transcribed' }>;
type AttachmentEvent = Extract<TaskEvent, { type: 'attachments_placed' }> | Transcribed | FileFetched;

/** A note says that the file is there, or why not. It follows its message, because the agent waits for the file. */
function foldFetched(draft: Draft, event: FileFetched): void {
  draft.awaited = draft.awaited.filter(({ id }) => id !== event.id);
  const added = placeAttachments(draft.attachments, event.attachment ? [event.attachment] : []);
  draft.attachments = [...draft.attachments, ...added];
  const text = `${reminderMark} ${describeFetched(event)}`;
  addEntry(draft, { role: 'user', text, isNote: true, ...(added.length > 0 && { attachments: added }) });
}

function foldTranscription(draft: Draft, event: Transcribed): void {
  const { rewritten, ...change } = applyTranscription(draft, event);
  Object.assign(draft, change, { transcript: [...rewritten] });
}

/** What becomes of the files of messages after the messages were logged. */
export function foldAttachmentEvent(draft: Draft, event: AttachmentEvent): void {
  switch (event.type) {
    case 'attachments_placed':
      draft.placed = event.count;
      return;
    case 'file_fetched':
      return foldFetched(draft, event);
    case 'voice_transcribed':
      return foldTranscription(draft, event);
  }
}
