import { describeFetched } from './awaited-file.ts';
import { describeLeftOut } from './left-out-files.ts';
import type { TaskEvent } from './task-event.ts';

/** Events that clients see as an `explanation`. */
export type Explanation = Extract<TaskEvent, { type: 'explained' | 'file_fetched' | 'files_left_out' | 'voice_transcribed' }>;

function describeTranscript({ path, text, problem }: Extract<TaskEvent, { type: 'voice_transcribed' }>): string {
  return text === null ? `${path} was not transcribed: ${problem}` : `Transcript of ${path}: ${text}`;
}

/** The text of an explanation. */
export function explain(event: Explanation): string {
  switch (event.type) {
    case 'explained':
      return event.text;
    case 'file_fetched':
      return describeFetched(event);
    case 'files_left_out':
      return describeLeftOut(event);
    case 'voice_transcribed':
      return describeTranscript(event);
  }
}
