import { type Connection, pause } from './connection.ts';
import { ErrandError } from './errand-error.ts';
import type { Operations } from './operations.ts';

export type UploadedFile = Operations['file.detail']['response']['file'];

const pollIntervalMs = 250;

/** Registers a file, sends its bytes and waits until a message can reference it. */
export async function uploadFile(
  connection: Connection,
  filename: string,
  data: Blob | Uint8Array | string,
  signal?: AbortSignal,
): Promise<UploadedFile> {
  const options = signal ? { signal } : {};
  type Upload = Operations['file.upload']['response'];
  const { file, upload_url } = (await connection.call('file.upload', 'POST', { filename }, options)) as Upload;
  await connection.put(upload_url, data as RequestInit['body'], signal);
  for (;;) {
    const input = { file_id: file.id };
    const answer = (await connection.call('file.detail', 'GET', input, options)) as Operations['file.detail']['response'];
    if (answer.file.status === 'uploaded') return answer.file;
    if (answer.file.status !== 'pending') {
      throw new ErrandError(answer.file.error_message ?? `the file is ${answer.file.status}`, { code: 'upload_failed' });
    }
    await pause(pollIntervalMs, signal);
  }
}
