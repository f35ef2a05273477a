import { readdirSync, statSync } from 'node:fs';

/** Pipes that any program may have, whatever they contain: at most 32 MB. */
const freePipes = 512;
/** The size of a pipe, which the seccomp filter does not let programs enlarge. */
const pipeBytes = 64 * 1024;

function listDescriptors(process: string): string[] {
  try {
    return readdirSync(`${process}/fd`);
  } catch {
    return [];
  }
}

/** The pipe that a descriptor leads to, as a key; null if it leads to something else. */
function identifyPipe(descriptor: string): string | null {
  try {
    const found = statSync(descriptor);
    return found.isFIFO() ? `${found.dev}:${found.ino}` : null;
  } catch {
    return null;
  }
}

/**
 * The kernel memory that the pipes of processes use, given by their folders in /proc; in steps. Each beyond the first ones counts as if it
 * were full: the kernel does not report its content. Stops counting past the limit.
 */
export function* measurePipes(processes: readonly string[], limitBytes: number): Generator<void, number> {
  const descriptors: string[] = [];
  for (const process of processes) {
    yield;
    for (const name of listDescriptors(process)) descriptors.push(`${process}/fd/${name}`);
  }
  // Most sandboxes cannot have so many: nothing needs a closer look.
  if (descriptors.length <= freePipes) return 0;
  const pipes = new Set<string>();
  const measure = () => Math.max(0, pipes.size - freePipes) * pipeBytes;
  for (const [index, descriptor] of descriptors.entries()) {
    if (index % 64 === 0) yield;
    if (measure() > limitBytes) break;
    const pipe = identifyPipe(descriptor);
    if (pipe !== null) pipes.add(pipe);
  }
  return measure();
}
