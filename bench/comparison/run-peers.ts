import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child } from '../../test/support/process/child.ts';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { PostgresServer } from '../../test/support/db/postgres-server.ts';
import { runLoad } from '../load/run-load.ts';
import { pause } from '../process/pause.ts';
import { readProcessorMs } from '../process/process-facts.ts';
import { describeRun } from '../report/machine.ts';
import { createRequest } from '../service/service-calls.ts';
import { type PeerPlace, runErrand, runErrandEmbedded } from './errand-peer.ts';
import { createPeerDatabase, type PeerFigures, readWrittenBytes, summarise } from './peer-figures.ts';
import { startRestate } from './restate-server.ts';

/** Measures Errand and others that run agents, one after another, with the same job, model server and PostgreSQL server. */

const folder = fileURLToPath(new URL('../peers', import.meta.url));
const atOnce = 32;

/** How many tasks of each: about ten seconds of work. */
const peers = { restate: 3000, dbos: 2000, langgraph: 400, mastra: 150 } as const;
type Peer = keyof typeof peers;

const packages: Record<Peer, string> = {
  restate: `@restatedev/restate-server-${process.platform}-${process.arch}`,
  langgraph: '@langchain/langgraph',
  dbos: '@dbos-inc/dbos-sdk',
  mastra: '@mastra/core',
};

interface PeerReport {
  at: string;
  /** Where tasks are created, by the path that answers when a task is stored, or when it has ended. */
  url?: string;
  acceptPath?: string | null;
  waitPath?: string;
  progressUrl?: string;
  isAutomatic?: boolean;
}

async function receive(child: Child, at: string): Promise<PeerReport> {
  const { text } = await child.waitForLine((line) => line.source === 'stdout' && line.text.includes(`"at":"${at}"`));
  return JSON.parse(text) as PeerReport;
}

/** A model server that asks for the tool of whoever is measured. */
async function startModel(tool: { name: string; arguments: string }): Promise<{ child: Child; url: string }> {
  const env = { TOOL_CALL: JSON.stringify(tool) };
  const child = await Child.start(process.execPath, [path.join(folder, 'model.mjs')], { env, cwd: folder });
  return { child, url: (await receive(child, 'begin')).url ?? '' };
}

async function end(child: Child): Promise<void> {
  child.signal('SIGKILL');
  await child.ended;
}

function startPeer(peer: Peer, mode: readonly string[], env: Record<string, string>): Promise<Child> {
  return Child.start(process.execPath, ['--no-warnings', `${peer}.mjs`, ...mode], { env, cwd: folder });
}

async function countDone(progressUrl: string): Promise<number> {
  return ((await (await fetch(progressUrl)).json()) as { done: number }).done;
}

async function waitForDone(progressUrl: string, count: number): Promise<number> {
  while ((await countDone(progressUrl)) < count) await pause(5);
  return Date.now();
}

/** The request that creates a task, identical for Errand and its peers. */
const taskAt = (place: string) => ({ ...createRequest('Look at it.'), path: place });

async function timeAlone(url: string, count: number): Promise<number[]> {
  const times: number[] = [];
  const { body = '' } = taskAt('/');
  for (let number = 0; number < count; number++) {
    const startedAt = performance.now();
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (!response.ok) throw new Error(await response.text());
    await response.text();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** A load of `count` tasks, what it wrote into the database, and then tasks one after another. */
async function load(peer: Peer, env: Record<string, string>, count: number, serverPids: readonly number[]) {
  const child = await startPeer(peer, ['serve'], env);
  const { url = '', acceptPath = null, waitPath = '', progressUrl = '' } = await receive(child, 'begin');
  const spentMs = () => [child.pid, ...serverPids].reduce((sum, pid) => sum + readProcessorMs(pid), 0);
  const send = (place: string, tasks: number) =>
    runLoad({ url, apiKey: 'none', warmup: 0, count: tasks, requests: [taskAt(place)] });
  await send(waitPath, 2 * atOnce);
  const [writtenBefore, spentBefore, doneBefore] = [
    await readWrittenBytes(env['DATABASE_URL'] ?? ''),
    spentMs(),
    await countDone(progressUrl),
  ];
  const begun = await send(acceptPath ?? waitPath, count);
  const seconds = ((await waitForDone(progressUrl, doneBefore + count)) - begun.startedAt) / 1000;
  const cpuMs = (spentMs() - spentBefore) / count;
  const bytes = peer === 'restate' ? null : ((await readWrittenBytes(env['DATABASE_URL'] ?? '')) - writtenBefore) / count;
  const times = await timeAlone(`${url}${waitPath}`, 100);
  await end(child);
  const acceptedPerSecond = acceptPath === null ? null : begun.perSecond;
  return { together: { acceptedPerSecond, perSecond: count / seconds, cpuMs, bytes }, times };
}

/** Kills the process while it waits for the second reply of the model, and starts it again. */
async function crash(peer: Peer, env: Record<string, string>, model: Child) {
  const runsFile = path.join(env['HOME'] ?? '', 'runs');
  const first = await startPeer(peer, ['start'], { ...env, RUNS_FILE: runsFile });
  await receive(model, 'held');
  await end(first);
  const killedAt = performance.now();
  const second = await startPeer(peer, ['resume'], { ...env, RUNS_FILE: runsFile });
  const { isAutomatic = false } = await receive(second, 'end');
  const recoveredMs = performance.now() - killedAt;
  await end(second);
  return { recoveredMs, isAutomatic, toolRuns: readFileSync(runsFile, 'utf8').split('\n').length - 1 };
}

function readVersion(name: string): string {
  const text = readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return `${name} ${(JSON.parse(text) as { version: string }).version}`;
}

async function runPeer(peer: Peer, place: PeerPlace): Promise<PeerFigures> {
  const home = createFolder('peer');
  const model = await startModel({ name: 'look', arguments: '{"at":"it"}' });
  const server = peer === 'restate' ? await startRestate(folder, home) : null;
  try {
    const database = await createPeerDatabase(place.serverUrl);
    const own = { HOME: home, PATH: process.env.PATH ?? '', MODEL_URL: model.url, DATABASE_URL: database };
    const env = { ...own, ...server?.env };
    const { together, times } = await load(peer, env, peers[peer], server ? [server.child.pid] : []);
    return summarise(readVersion(packages[peer]), together, times, await crash(peer, env, model.child));
  } finally {
    await Promise.all([end(model.child), server && end(server.child)]);
    removeFolder(home);
  }
}

const howToInstall = `The others are not installed. Do that with

  npm ci --prefix bench/peers

which puts about 500 MB into bench/peers/node_modules and nothing anywhere else.`;

/** All figures, as JSON. */
export async function runPeers(): Promise<void> {
  if (!existsSync(path.join(folder, 'node_modules'))) {
    console.error(howToInstall);
    process.exitCode = 69;
    return;
  }
  await using server = await PostgresServer.start();
  const place: PeerPlace = {
    serverUrl: server.url,
    atOnce,
    startModel: async (tool) => {
      const { child, url } = await startModel(tool);
      return { url, held: async () => void (await receive(child, 'held')), end: () => end(child) };
    },
  };
  console.log(JSON.stringify(describeRun()));
  const print = (figures: PeerFigures) => console.log(JSON.stringify(figures));
  print(await runErrandEmbedded(place));
  print(await runErrand(place));
  for (const peer of Object.keys(peers) as Peer[]) print(await runPeer(peer, place));
}
