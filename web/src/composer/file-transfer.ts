import { ErrandError } from '@errand/client';
import { errand } from '../api/errand.ts';

const pollIntervalMs = 250;

/** Uploads with progress events, which `fetch` does not have. */
function putBytes(url: string, file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new ErrandError('the file could not be sent', { code: 'connection' }));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => (request.status < 300 ? resolve() : reject(readProblem(request))));
    request.addEventListener('error', fail);
    request.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.open('PUT', url);
    request.send(file);
  });
}

function readProblem(request: XMLHttpRequest): ErrandError {
  try {
    const answer = JSON.parse(request.responseText) as { request_id?: string; error?: { code: string; message: string } };
    if (answer.error)
      return new ErrandError(answer.error.message, {
        code: answer.error.code,
        status: request.status,
        requestId: answer.request_id ?? null,
      });
  } catch {
    // A proxy in between responds without our envelope.
  }
  return new ErrandError(`the upload was answered with status ${request.status}`, { code: 'unknown', status: request.status });
}

function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pollIntervalMs);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}

/**
 * Uploads a file so that messages can refer to it.
 * @param onProgress called with the fraction sent so far, 0 to 1
 * @returns its id
 */
export async function transferFile(file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<string> {
  const { file: announced, upload_url: url } = await errand.file.upload({ filename: file.name }, { signal });
  await putBytes(url, file, onProgress, signal);
  for (;;) {
    const { file: known } = await errand.file.detail({ file_id: announced.id }, { signal });
    if (known.status === 'uploaded') return announced.id;
    if (known.status !== 'pending') throw new ErrandError(known.error_message ?? known.status, { code: 'upload_failed' });
    await rest(signal);
  }
}
