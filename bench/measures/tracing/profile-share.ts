import { globSync, readFileSync } from 'node:fs';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  /** The node of each sample. */
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

const idle = ['(idle)', '(program)'];

/** Each node that is one of these functions, or was called by one. */
function findWithin({ nodes }: Profile, names: ReadonlySet<string>): Set<number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const within = new Set<number>();
  const add = (id: number) => {
    within.add(id);
    for (const child of byId.get(id)?.children ?? []) add(child);
  };
  for (const { id, callFrame } of nodes) if (names.has(callFrame.functionName)) add(id);
  return within;
}

/**
 * Reads the profiles that the threads of a process have left in a folder (`--cpu-prof`), and returns how long they worked, and how much of it
 * in functions with these names and what those called, both in microseconds.
 */
export function readProfileShare(folder: string, names: ReadonlySet<string>): { workedUs: number; withinUs: number } {
  let [workedUs, withinUs] = [0, 0];
  for (const file of globSync(`${folder}/*.cpuprofile`)) {
    const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile;
    const within = findWithin(profile, names);
    const isIdle = new Set(profile.nodes.filter(({ callFrame }) => idle.includes(callFrame.functionName)).map(({ id }) => id));
    for (const [at, node] of profile.samples.entries()) {
      const us = profile.timeDeltas[at] ?? 0;
      if (isIdle.has(node)) continue;
      workedUs += us;
      if (within.has(node)) withinUs += us;
    }
  }
  if (workedUs === 0) throw new Error(`no profile in ${folder}: the process did not end in order`);
  return { workedUs, withinUs };
}
