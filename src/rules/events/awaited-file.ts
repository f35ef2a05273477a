import type { Attachment } from './result-files.ts';

/** A file of a message that was not there when its sender was answered: whoever works on the task fetches it. */
export interface AwaitedFile {
  id: string;
  kind: 'file' | 'voice';
  /** The name that the sender gave it, or the last segment of its URL. */
  filename: string;
  /** A MIME type, if the sender named one. */
  contentType: string | null;
  /** The URL, sealed for the account, because it may contain a credential. */
  sealedUrl: string;
}

/** The awaited file with this id, or why there is none. */
export interface FileFetched {
  type: 'file_fetched';
  id: string;
  filename: string;
  attachment: Attachment | null;
  problem: string | null;
}

/** How a fetch ended, for people and models. */
export function describeFetched({ filename, problem }: FileFetched): string {
  return problem === null ? `${filename} was fetched from its URL.` : `${filename} could not be fetched from its URL: ${problem}`;
}
