import { type ModelServer, startModelServer } from '../../test/support/models/model-server.ts';
import { createRequest, waitUntilIdle } from '../service/service-calls.ts';
import { runHttpCeiling, runLoad } from '../load/run-load.ts';
import type { Measure, Taken } from './measure.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';
import { readProcessorMs } from '../process/process-facts.ts';
import { median } from '../report/statistics.ts';
import { takeInTurn } from './rounds.ts';

/** Creates tasks and waits for the last to end; returns how many ended a second. */
export async function finishTasks(service: UsedService, count: number): Promise<number> {
  const { url, apiKey } = service;
  const load = await runLoad({ url, apiKey, warmup: 0, count, requests: [createRequest('say done')] });
  const endedAt = await waitUntilIdle(service, count);
  return (count / (endedAt - load.startedAt)) * 1000;
}

async function takeWith(bed: TestBed, name: string, env: Record<string, string>): Promise<Taken> {
  const { rounds, warmup, finishes } = bed.sizes;
  await using service = await bed.useService({ env });
  const { apiKey } = service;
  await finishTasks(service, warmup);
  const job = { apiKey, warmup, count: finishes, requests: [createRequest('say done')] };
  const spentMs: number[] = [];
  const { value, http, bare } = await takeInTurn(rounds, {
    http: () => runHttpCeiling(job),
    bare: () => bed.runDatabaseCeiling('create', finishes),
    value: async () => {
      const before = readProcessorMs(service.pid);
      const rate = await finishTasks(service, finishes);
      spentMs.push(readProcessorMs(service.pid) - before);
      return rate;
    },
  });
  const processorUs = (median(spentMs) / finishes) * 1000;
  return { name, value, unit: '/s', http, bare, note: `${processorUs.toFixed(0)} µs of CPU each` };
}

/** What makes a service call a model server as if it were a provider on the network. */
export function modelSettings(baseUrl: string): Record<string, string> {
  return { ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: baseUrl, ERRAND_MODEL_API_KEY: 'none' };
}

/** Has the model call a tool that only answers, and then end the task. */
async function scriptToolCall(server: ModelServer): Promise<void> {
  const call = { tool: 'explain_tool', input: { tool: 'read_task' } };
  await server.script([{ steps: [{ calls: [call] }, { text: 'Done.' }] }]);
}

/** Takes figures of the three kinds of tasks: with the built-in model, with one over HTTP, and with a tool between two calls of that. */
export async function takeOfEachKind<Figures>(
  take: (kind: string, settings: Record<string, string>) => Promise<Figures>,
): Promise<Figures[]> {
  const offline = await take('offline-1', {});
  const server = await startModelServer({ recordsCalls: false });
  try {
    const settings = modelSettings(server.openaiUrl);
    const online = await take('model over HTTP', settings);
    await scriptToolCall(server);
    return [offline, online, await take('two calls and a tool', settings)];
  } finally {
    await server.stop();
  }
}

export const endToEnd: Measure = {
  name: 'end-to-end',
  about: 'tasks accepted and carried to their end with a model that answers at once, also with a tool between two calls',
  take: (bed) => takeOfEachKind((kind, settings) => takeWith(bed, `end to end, ${kind}`, settings)),
};
