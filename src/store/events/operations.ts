import { readConversations, readLog, readShown } from './events.ts';
import { readTaskTranscript } from './task-transcript.ts';

/** Every operation on the log of a task. */
export const eventOperations = [readConversations, readLog, readShown, readTaskTranscript];
