import { extname } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { type RecordLookup, recordTypes } from '@errand/base/net/record-lookup.ts';
import { createJobThreads } from '@errand/base/threads/job-thread.ts';
import type { ReadMail } from '../../api/triggers/receive-mail.ts';
import type { MailJob } from './read-mail.ts';

/** What became of a look-up: the records, or the code of the error. */
export interface LookupAnswer {
  records?: unknown;
  code?: string;
}

/** Reads mails in threads with bounded memory and time. */
export interface MailReader {
  /** @param owner the account whose trigger it reaches: waiting accounts take turns. Rejects with 400 for what cannot be read. */
  read(job: MailJob, owner: string, signal: AbortSignal): Promise<ReadMail>;
  close(): Promise<void>;
}

const deadlineMs = 30_000;
/** Time limit of all DNS lookups for one mail. */
const lookupMs = 10_000;
/** SPF alone allows ten with ten addresses each, most of which no mail needs. */
const maxLookups = 60;

// The file's own extension: the published package is JavaScript.
const file = new URL(`./mail-worker${extname(import.meta.url)}`, import.meta.url);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'ETIMEOUT';
}

/** Answers the look-ups of one mail, as many and as long as allowed. */
function answerLookups(lookup: RecordLookup, signal: AbortSignal): (question: string, input: unknown) => Promise<LookupAnswer> {
  let count = 0;
  return async (_, input) => {
    const { name, type: wanted } = input as { name: string; type: string };
    const type = recordTypes.find((one) => one === wanted);
    if (!type || signal.aborted || ++count > maxLookups) return { code: 'ETIMEOUT' };
    try {
      return { records: await lookup(name, type, signal) };
    } catch (error) {
      return { code: codeOf(error) };
    }
  };
}

function unreadable(error: unknown): unknown {
  const isOverdone = error instanceof Fault && error.code === 'unavailable';
  return isOverdone ? new Fault('invalid_argument', 'The mail cannot be read in reasonable time and memory.') : error;
}

export function createMailReader({ clock, lookup }: { clock: Clock; lookup: RecordLookup }): MailReader {
  const threads = createJobThreads({ file, clock, subject: 'the mail', deadlineMs, memoryMb: 256 });
  return {
    async read(job, owner, signal) {
      const slow = new AbortController();
      let timer = { cancel: () => undefined as void };
      const answers = answerLookups(lookup, AbortSignal.any([slow.signal, signal]));
      let isAsked = false;
      const answer = (question: string, input: unknown) => {
        if (!isAsked) timer = clock.setTimer(() => slow.abort(), lookupMs);
        isAsked = true;
        return answers(question, input);
      };
      try {
        return (await threads.run('read', job, { signal, owner, answer })) as ReadMail;
      } catch (error) {
        throw unreadable(error);
      } finally {
        timer.cancel();
      }
    },
    close: () => threads.close(),
  };
}
