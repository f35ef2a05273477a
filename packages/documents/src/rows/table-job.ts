import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import type { TableJob } from './table-file.ts';
import { readTable } from './table-reader.ts';
import { writeTable } from './table-writer.ts';

/** Files of strangers are read in the thread, and large ones are written there. */
export async function runTableJob(job: TableJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const { path, format } = job;
  if (job.do === 'write') return { files: [{ path, bytes: writeTable(job.table, format) }], notes: [] };
  const table = readTable(await readFile(path), path, format, job.mostRows);
  return { files: [{ path, bytes: Buffer.from(JSON.stringify(table)) }], notes: [] };
}
