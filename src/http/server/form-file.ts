import type { IncomingMessage } from 'node:http';
import type { BusboyFileStream } from '@fastify/busboy';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { largeBodyBytes } from '../../api/contract/limits.ts';

/** The file of a form while its bytes arrive. */
export interface FormFile {
  filename: string;
  /** As its part of the form says. */
  contentType: string;
  source: AsyncIterable<Uint8Array>;
}

export interface Form<Answer> {
  /** The fields beside the file. */
  fields: ReadonlyMap<string, string>;
  /** The outcome for the file. */
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
 * Reads a form and gives its one file, the field `file`, to `receive` while it comes in: nothing is held but what is on its way.
 * Rejects with 400 for what is no such form and 413 for one that is too large; `receive` has come to its end in any case.
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
      // What is refused is still to be read, or the form would never end.
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
    // What is left of a refused form is read away, or the next request on this connection would wait behind it for ever.
    request.resume();
  }
  const answer = received as Promise<Answer> | null;
  if (!answer) throw invalidField('file', 'is required');
  return { fields, answer: await answer };
}
