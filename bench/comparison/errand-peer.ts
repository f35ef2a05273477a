import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ServiceProcess } from '../../test/support/service/supervisor.ts';
import { call, createRequest, createTask, waitUntilIdle } from '../service/service-calls.ts';
import { runLoad } from '../load/run-load.ts';
import { createPeerDatabase, type Crash, type PeerFigures, readWrittenBytes, summarise, type Together } from './peer-figures.ts';
import { readProcessorMs } from '../process/process-facts.ts';
import { pause } from '../process/pause.ts';

export interface PeerPlace {
  serverUrl: string;
  atOnce: number;
  startModel(tool: { name: string; arguments: string }): Promise<{ url: string; held(): Promise<void>; end(): Promise<void> }>;
}

const count = 4000;

function start(modelUrl: string, databaseUrl: string | null): Promise<ServiceProcess> {
  return ServiceProcess.start({
    script: 'bench/launch.ts',
    env: {
      ERRAND_LOG: 'warn',
      ERRAND_RATE_LIMITS: 'off',
      ERRAND_MODEL: 'compatible/mock',
      ERRAND_MODEL_BASE_URL: modelUrl,
      ERRAND_MODEL_API_KEY: 'none',
      ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }),
    },
  });
}

/** Through the API, as its users do it: accepted, carried out, seen at rest. */
async function load(service: ServiceProcess, tasks: number): Promise<{ seconds: number; acceptedPerSecond: number }> {
  const requests = [createRequest('Look at it.')];
  const begun = await runLoad({ url: service.url, apiKey: service.apiKey, warmup: 0, count: tasks, requests });
  const seconds = ((await waitUntilIdle(service, tasks)) - begun.startedAt) / 1000;
  return { seconds, acceptedPerSecond: begun.perSecond };
}

async function finish(service: ServiceProcess, taskId: string): Promise<void> {
  for (;;) {
    const { task } = await call<{ task: { status: string } }>(service, {
      method: 'GET',
      path: `/v2/task.detail?task_id=${taskId}`,
    });
    if (task.status === 'error') throw new Error('the task failed');
    if (task.status !== 'running') return;
    await pause(1);
  }
}

/** Follows the stream of a task to its end, as clients do: a look at the task every millisecond would take turns from it. */
async function follow(service: ServiceProcess, taskId: string): Promise<void> {
  const headers = { 'x-service-api-key': service.apiKey };
  const { body } = await fetch(`${service.url}/v2/task.stream?task_id=${taskId}`, { headers });
  let text = '';
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.includes('"agent_status":"error"')) throw new Error('the task failed');
    if (text.includes('"agent_status":"stopped"')) return;
  }
  throw new Error('the stream ended before the task');
}

async function loadTogether(service: ServiceProcess, databaseUrl: string | null): Promise<Together> {
  await load(service, 500);
  const cpuBefore = readProcessorMs(service.pid);
  const before = databaseUrl === null ? 0 : await readWrittenBytes(databaseUrl);
  const { seconds, acceptedPerSecond } = await load(service, count);
  const bytes = databaseUrl === null ? null : ((await readWrittenBytes(databaseUrl)) - before) / count;
  return { acceptedPerSecond, perSecond: count / seconds, cpuMs: (readProcessorMs(service.pid) - cpuBefore) / count, bytes };
}

async function timeAlone(service: ServiceProcess): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < 100; number++) {
    const startedAt = performance.now();
    await follow(service, await createTask(service, 'Look at it.'));
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Lines that the tool has written into the task's workspace. */
function countRuns(dataDir: string): number {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((file) => path.basename(file) === 'runs.txt');
  return files.reduce((runs, file) => runs + readFileSync(path.join(dataDir, file), 'utf8').split('\n').length - 1, 0);
}

async function crash(place: PeerPlace, databaseUrl: string | null): Promise<Crash> {
  const model = await place.startModel({ name: 'run_shell', arguments: JSON.stringify({ command: 'echo run >> runs.txt' }) });
  await using service = await start(model.url, databaseUrl);
  try {
    const taskId = await createTask(service, 'Look at it, slow.');
    await model.held();
    await service.kill('SIGKILL');
    const killedAt = performance.now();
    await service.restart();
    await finish(service, taskId);
    return { recoveredMs: performance.now() - killedAt, isAutomatic: true, toolRuns: countRuns(service.dataDir) };
  } finally {
    await model.end();
  }
}

async function measure(name: string, place: PeerPlace, newDatabase: () => Promise<string | null>): Promise<PeerFigures> {
  // The other systems are measured with a trivial tool that returns a text, so this one must be trivial, too.
  const model = await place.startModel({ name: 'explain_tool', arguments: JSON.stringify({ tool: 'read_task' }) });
  const databaseUrl = await newDatabase();
  await using service = await start(model.url, databaseUrl);
  try {
    const together = await loadTogether(service, databaseUrl);
    const alone = await timeAlone(service);
    return summarise(name, together, alone, await crash(place, await newDatabase()));
  } finally {
    await model.end();
  }
}

export function runErrand(place: PeerPlace): Promise<PeerFigures> {
  return measure('Errand, PostgreSQL', place, () => createPeerDatabase(place.serverUrl));
}

export function runErrandEmbedded(place: PeerPlace): Promise<PeerFigures> {
  return measure('Errand, embedded', place, () => Promise.resolve(null));
}
