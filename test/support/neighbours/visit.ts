import { isEnd, type Json, type ServiceClient, statusIn } from '../service/service-client.ts';

/** The small operations of an account, as anybody does them all day, with the milliseconds that each took. */
export interface Visit {
  create: number;
  read: number;
  command: number;
}

async function time<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const from = performance.now();
  return [await work(), performance.now() - from];
}

/** Creates a task and has it run a command; the time until the command's result is there. */
async function runCommand(client: ServiceClient): Promise<void> {
  const taskId = await client.createTask('run echo $((6 * 7)) > sum; cat sum');
  const events = await client.follow(taskId, (event) => event.type === 'tool_used' || isEnd(event));
  const { status, description } = (events.at(-1)?.tool_used ?? {}) as Json;
  if (status !== 'success' || !String(description).startsWith('42\n')) {
    throw new Error(`the command of ${taskId} ended otherwise: ${JSON.stringify(events.at(-1))}`);
  }
}

/** Creates a task, reads it, and runs the first command of another; rejects if anything is not as it should be. */
export async function visit(client: ServiceClient): Promise<Visit> {
  const [taskId, create] = await time(() => client.createTask('say well'));
  const [, read] = await time(() => client.statusOf(taskId));
  const [, command] = await time(() => runCommand(client));
  const events = await client.follow(taskId, isEnd);
  if (statusIn(events.at(-1)) !== 'stopped') throw new Error(`${taskId} failed: ${JSON.stringify(events.at(-1))}`);
  return { create, read, command };
}
