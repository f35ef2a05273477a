import { runProgram, startProgram } from '../process/program.ts';
import type { LoadJob, LoadResult } from './load-job.ts';

/** Connections of every load. */
const connections = 32;

/** Puts a load on a server from a second process. */
export function runLoad(job: Omit<LoadJob, 'connections'>): Promise<LoadResult> {
  return runProgram('load/generator.ts', { ...job, connections: Math.min(connections, job.count) });
}

/** A bare node:http server in a process of its own. */
export async function withHttpCeiling<Result>(use: (url: string, pid: number) => Promise<Result>): Promise<Result> {
  const child = await startProgram('load/http-ceiling.ts');
  try {
    const { text } = await child.waitForLine(({ source }) => source === 'stdout');
    const { port } = JSON.parse(text) as { port: number };
    return await use(`http://127.0.0.1:${port}`, child.pid);
  } finally {
    child.signal('SIGKILL');
    await child.ended;
  }
}

/** Replies a second of a bare node:http server under the same load: what this machine can do at this moment. */
export function runHttpCeiling(job: Omit<LoadJob, 'connections' | 'url'>): Promise<number> {
  return withHttpCeiling(async (url) => (await runLoad({ ...job, url })).perSecond);
}
