import { endingOf } from '../files/preview-kind.ts';
import type { PreviewFile } from '../files/preview-file.ts';
import { startTrustedWorker } from '../files/trusted-worker.ts';
import { type FileReading, useFile } from '../files/use-file.ts';
import { callWorker } from '../files/worker-call.ts';
// oxlint-disable-next-line import/default -- the build provides the URL of the file
import workerUrl from './presentation-worker.ts?worker&url';
import type { Presentation } from './presentation.ts';

const maxBytes = 50_000_000;
const timeoutMs = 15_000;

const startWorker = () => startTrustedWorker(workerUrl);

/** Whether the browser can read the text of a presentation without the server. */
export function hasReadableWords({ filename }: Pick<PreviewFile, 'filename'>): boolean {
  return /^p(?:pt|ps|ot)x$/.test(endingOf(filename));
}

/** The text and pictures of a presentation. Parsed in a worker that is terminated if it takes too long. */
export function usePresentation(file: PreviewFile): FileReading<Presentation> {
  return useFile('presentation', file, { maxBytes }, (bytes, _isCut, signal) =>
    callWorker<Presentation>(startWorker, bytes, { timeoutMs, signal, transfer: [bytes.buffer] }),
  );
}
