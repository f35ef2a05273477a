import type { LoggedEvent } from '../events/task-event.ts';
import type { Span } from './span.ts';
import { TaskSpans, type TaskSpansParts } from './task-spans.ts';

/** A part of a trace. */
export interface TracePart {
  spans: Span[];
  /** The last event of the last turn that has ended: the rest can be read without what is before it. */
  endSeq: number;
  /** Whether that is also the last event of this part that belongs to a turn. */
  isEndOfTurn: boolean;
}

export interface LogSpansParts extends Omit<TaskSpansParts, 'isResumed'> {
  /** Reads the next events after this one, in order; none at the end of the log. */
  read(afterSeq: number): Promise<readonly LoggedEvent[]>;
  /** The end of a turn, or 0 for the whole log. */
  afterSeq: number;
}

/** The spans of a log from the end of a turn on, read part by part, so that not all of a long one is in memory. */
export async function* readSpans({ read, afterSeq, ...parts }: LogSpansParts): AsyncGenerator<TracePart> {
  const spans = new TaskSpans({ ...parts, isResumed: afterSeq > 0 });
  let endSeq = afterSeq;
  for (let seq = afterSeq; ; ) {
    const page = await read(seq);
    if (page.length === 0) return;
    const ended: Span[] = [];
    for (const logged of page) {
      const hadTurn = !spans.isBetweenTurns;
      ended.push(...spans.add(logged));
      if (hadTurn && spans.isBetweenTurns) endSeq = logged.seq;
      ({ seq } = logged);
    }
    yield { spans: ended, endSeq, isEndOfTurn: spans.isBetweenTurns };
  }
}
