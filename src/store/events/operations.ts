import { readConversations, readLog, readShown } from './events.ts';
import { readFoldedState, saveFoldedState } from './folded-states.ts';
import { readTaskTranscript } from './task-transcript.ts';

/** Every operation on the log of a task. */
export const eventOperations = [readConversations, readLog, readShown, readFoldedState, saveFoldedState, readTaskTranscript];
