import { read } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Fault } from '@errand/base/fault.ts';
import { type Hand, serveReading } from '../reader-threads/reader-thread-worker.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { archiveLimits, createMeter } from './archive-limits.ts';
import type { ArchiveAnswer, ArchivePiece, ArchiveQuestion } from './archive-question.ts';
import { createEntryCheck } from './entry-path.ts';
import { listTar } from './tar-entries.ts';
import { listZip } from './zip-entries.ts';

/** The code of the thread that reads archives. */

type Count = (bytes: number) => void;

const pieceBytes = 64 * 1024;

/** Reads by descriptor and position, because a stream would close the descriptor, which belongs to the caller. */
async function* openPacked({ descriptor, bytes }: ArchiveQuestion): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const piece = Buffer.alloc(pieceBytes);
    const count = await new Promise<number>((resolve, reject) => {
      read(descriptor, piece, 0, pieceBytes, at, (error, length) => (error ? reject(error) : resolve(length)));
    });
    if (count === 0) return;
    yield piece.subarray(0, count);
    at += count;
  }
}

async function* gunzip(question: ArchiveQuestion): AsyncGenerator<Buffer> {
  const unpacking = createGunzip();
  const packed = Readable.from(openPacked(question));
  packed.on('error', (error) => unpacking.destroy(error));
  try {
    for await (const chunk of packed.pipe(unpacking) as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw new Fault('invalid_argument', 'The archive is damaged or not of this type.', { cause: error });
  }
}

/** Counts what entries do not include: headers and gaps, which can make up a whole archive. */
async function* counted(pieces: AsyncIterable<Buffer>, count: Count): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}

const tarMark = 'ustar';

async function* listGzip(question: ArchiveQuestion, count: Count): AsyncGenerator<ArchiveEntry> {
  const pieces = counted(gunzip(question), count);
  const first: IteratorResult<Buffer, unknown> = await pieces.next();
  const start = first.done ? Buffer.alloc(0) : first.value;
  async function* all() {
    yield start;
    yield* pieces;
  }
  if (start.toString('latin1', 257, 257 + tarMark.length) === tarMark) yield* listTar(all());
  else yield { name: question.plainName, kind: 'file', declaredBytes: 0, open: all };
}

function listEntries(question: ArchiveQuestion, count: Count): AsyncGenerator<ArchiveEntry> {
  if (question.format === 'zip') return listZip(question.descriptor, archiveLimits.entries);
  return question.format === 'tar' ? listTar(counted(openPacked(question), count)) : listGzip(question, count);
}

/** One pass over the archive; `take` receives what is to be written. Throws at the first sign of a malicious archive. */
async function walk(question: ArchiveQuestion, take: (path: string, content: AsyncIterable<Buffer>) => Promise<void>) {
  const meter = createMeter(question.bytes, archiveLimits);
  const check = createEntryCheck();
  const answer: ArchiveAnswer = { entries: [], leftOut: [] };
  const isZip = question.format === 'zip';
  // The content of a tar was counted on input.
  for await (const entry of listEntries(question, (bytes) => meter.count(bytes))) {
    meter.beginEntry();
    const checked = check(entry);
    const shown = { name: entry.name, kind: entry.kind, bytes: entry.declaredBytes };
    if ('refusal' in checked) answer.leftOut.push({ name: entry.name, refusal: checked.refusal });
    else answer.entries.push(shown);
    if ('refusal' in checked || entry.kind !== 'file') continue;
    const content = isZip ? counted(entry.open(), (bytes) => meter.count(bytes)) : entry.open();
    await take(checked.names.join('/'), content);
  }
  return answer;
}

async function passOver(_path: string, content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

async function answerQuestion(question: ArchiveQuestion, hand: Hand<ArchivePiece>): Promise<ArchiveAnswer> {
  if (question.wants === 'list') return walk(question, question.format === 'zip' ? () => Promise.resolve() : passOver);
  // A dry run first: a malicious archive is rejected before there is anything to clean up.
  await walk(question, passOver);
  return walk(question, async (path, content) => {
    await hand({ path });
    for await (const chunk of content) await hand({ chunk });
    await hand('end');
  });
}

await serveReading<ArchiveAnswer, ArchivePiece>((question, hand) => answerQuestion(question as ArchiveQuestion, hand));
