import { type Clock, pause } from '@errand/base/clock.ts';
import { ChatFault, type ChatFile } from './chat-platform.ts';

/** The inline limit of a message (docs/reference/choices.md#limits). */
export const maxFileBytes = 20 * 1024 * 1024;
const tries = 3;

/** A part of `message.content`. */
export type ChatFilePart = { type: 'file' | 'voice'; filename: string; file_data: string };

function toPart({ filename, contentType, isVoice }: ChatFile, bytes: Buffer): ChatFilePart {
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(contentType ?? '') ? contentType : 'application/octet-stream';
  return { type: isVoice ? 'voice' : 'file', filename, file_data: `data:${type};base64,${bytes.toString('base64')}` };
}

async function fetchOne(file: ChatFile, clock: Clock, signal: AbortSignal): Promise<Buffer | 'tooLarge' | 'notFetched'> {
  if ((file.bytes ?? 0) > maxFileBytes) return 'tooLarge';
  for (let left = tries; left > 0; left -= 1) {
    try {
      const bytes = await file.fetch();
      return bytes.length > maxFileBytes ? 'tooLarge' : bytes;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ChatFault) || error.kind === 'refused') return 'notFetched';
      await pause(clock, Math.max(error.retryMs, 1000), signal);
    }
  }
  return 'notFetched';
}

export interface FetchedFiles {
  parts: ChatFilePart[];
  /** Files that could not be fetched, and why. */
  missing: { filename: string; why: 'tooLarge' | 'notFetched' }[];
}

/** Fetches the files of a message one after another, so that only one and the accepted ones are in memory. */
export async function fetchFiles(files: readonly ChatFile[], clock: Clock, signal: AbortSignal): Promise<FetchedFiles> {
  const fetched: FetchedFiles = { parts: [], missing: [] };
  let bytes = 0;
  for (const file of files) {
    const got = bytes > maxFileBytes ? 'tooLarge' : await fetchOne(file, clock, signal);
    if (typeof got === 'string') fetched.missing.push({ filename: file.filename, why: got });
    else if (bytes + got.length > maxFileBytes) fetched.missing.push({ filename: file.filename, why: 'tooLarge' });
    else {
      bytes += got.length;
      fetched.parts.push(toPart(file, got));
    }
  }
  return fetched;
}
