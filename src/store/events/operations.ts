import { readLog, readShown } from './events.ts';
import { readTaskTranscript } from './task-transcript.ts';

/** The operations on events that the database thread knows. */
export const eventOperations = [readLog, readShown, readTaskTranscript];
