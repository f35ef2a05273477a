import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@errand/base/clock.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import { createArchiveReader } from '../../../src/tools/files/archives/archive-reader.ts';
import { createUnpackArchive } from '../../../src/tools/files/unpack-archive.ts';
import { toolContext } from '../tasks/tool-context.ts';

// Runs as a separate process, so that its memory is that of the tool and its threads. Each folder of the first argument holds the
// workspace of a task with one archive, which is unpacked into `out`; prints as JSON how that ended, and what it cost, by folder.

/** How the unpacking of one archive ended. */
export interface Unpacking {
  output: string | null;
  /** What the model is told where it was refused. */
  error: string | null;
  /** How far the memory of the process has risen meanwhile, at its highest. */
  grownBytes: number;
}

const [base = ''] = process.argv.slice(2);
const unpack = createUnpackArchive(createArchiveReader(systemClock));

async function unpackOne(folder: string): Promise<Unpacking> {
  const [path = ''] = readdirSync(join(base, folder, 'acc', 'task'));
  const context = toolContext(openWorkspace(join(base, folder, 'acc', 'task')));
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
  const sampling = setInterval(sample, 5);
  const ended = await unpack.run(unpack.input.parse({ path, into: 'out' }), context).then(
    ({ output }) => ({ output, error: null }),
    (error: unknown) => ({ output: null, error: String(error) }),
  );
  clearInterval(sampling);
  sample();
  return { ...ended, grownBytes: peak - before };
}

const report: Record<string, Unpacking> = {};
for (const folder of readdirSync(base)) report[folder] = await unpackOne(folder);
console.log(JSON.stringify(report));
