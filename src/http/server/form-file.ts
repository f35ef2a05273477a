import type { IncomingMessage } from 'node:http';
import type { BusboyFileStream } from '@fastify/busboy';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { largeBodyBytes } from '../../api/contract/limits.ts';

/** The file of a form, still being received. */
export interface FormFile {
  filename: string;
  /** Content type declared by the part of the form. */
  contentType: string;
  source: AsyncIterable<Uint8Array>;
}

export interface Form<Answer> {
  /** The fields next to the file. */
  fields: ReadonlyMap<string, string>;
  /** The result for the file. */
  answer: Answer;
}

export const formType = 'multipart/form-data';

/** A form of the OpenAI SDK has a file and one or two short fields. */
const limits = {
  files: 1,
  fileSize: largeBodyBytes,
  fields: 20,
  parts: 21,
  fieldNameSize: 100,
  fieldSize: 1000,
  headerPairs: 20,
  headerSize: 8192,
};

function tooLarge(): Fault {
  const megabytes = largeBodyBytes / 1024 ** 2;
  return new Fault(
    'payload_too_large',
    `A form may have at most ${megabytes} MB; announce larger files and send them to upload_url.`,
  );
}

async function* readPart(part: BusboyFileStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of part) yield chunk as Uint8Array;
  if (part.truncated) throw tooLarge();
}

/**
 * Reads a form and streams its one file, the field `file`, to `receive` without buffering it. Rejects with 400 for invalid forms and 413
 * for ones that are too large; `receive` has finished in any case.
 */
export async function readForm<Answer>(
  request: IncomingMessage,
  receive: (file: FormFile) => Promise<Answer>,
): Promise<Form<Answer>> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (Number(length ?? 0) > largeBodyBytes) throw tooLarge();
  const { Busboy } = await import('@fastify/busboy');
  const fields = new Map<string, string>();
  let received: Promise<Answer> | null = null;
  let part: BusboyFileStream | null = null;
  let bytes = 0;
  const readAll = new Promise<void>((resolve, reject) => {
    const form = new Busboy({ headers: { ...request.headers, 'content-type': type }, limits });
    const refuse = (problem: string) => reject(invalidField('body', problem));
    form.on('field', (name, value) => void fields.set(name, value));
    form.on('file', (name, stream, filename, _encoding, contentType) => {
      stream.on('error', () => undefined);
      if (name !== 'file' || !filename) return refuse('the one file of the form must be in the field file, with a filename');
      part = stream;
      received = receive({ filename, contentType, source: readPart(stream) });
      // A rejected file still has to be read, or the form would never end.
      received.catch(() => stream.resume());
    });
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
      form.on(limit, () => refuse('the form has too many parts'));
    form.once('finish', resolve);
    form.once('error', () => refuse('must be a form as RFC 7578 has it'));
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > largeBodyBytes) reject(tooLarge());
    });
    request.once('close', () => {
      if (!request.complete) reject(new Fault('invalid_argument', 'The form was cut off.'));
    });
    request.pipe(form);
  });
  try {
    await readAll;
  } catch (error) {
    request.unpipe();
    (part as BusboyFileStream | null)?.destroy(error as Error);
    await (received as Promise<Answer> | null)?.catch(() => undefined);
    throw error instanceof Fault ? error : invalidField('body', 'must be a form as RFC 7578 has it');
  } finally {
    // The rest of a rejected form is drained, or the next request on this connection would wait behind it forever.
    request.resume();
  }
  const answer = received as Promise<Answer> | null;
  if (!answer) throw invalidField('file', 'is required');
  return { fields, answer: await answer };
}
