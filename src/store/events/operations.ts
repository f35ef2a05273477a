import { readConversations } from './conversations.ts';
import { readLastSeqs, readLog, readShown } from './events.ts';
import { readLogPage } from './sized-page.ts';
import { readFoldedState, saveFoldedState } from './folded-states.ts';
import { findCallPlace, findModelCall } from './model-calls.ts';
import { listRatings, setRating } from './ratings.ts';
import { readShownPage } from './shown-page.ts';
import { readTaskTranscript } from './task-transcript.ts';

/** Every operation on the log of a task. */
export const eventOperations = [
  readConversations,
  readLastSeqs,
  readLog,
  readLogPage,
  readShown,
  readShownPage,
  findModelCall,
  findCallPlace,
  setRating,
  listRatings,
  readFoldedState,
  saveFoldedState,
  readTaskTranscript,
];
