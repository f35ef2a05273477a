import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child } from '../../test/support/process/child.ts';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { PostgresServer } from '../../test/support/db/postgres-server.ts';
import { describeRun } from '../report/machine.ts';
import { type PeerPlace, runErrand, runErrandEmbedded } from './errand-peer.ts';
import { createPeerDatabase, type PeerFigures, readWrittenBytes, summarise } from './peer-figures.ts';

/** Measures Errand and others that run agents, one after another, with the same job, model server and PostgreSQL server. */

const folder = fileURLToPath(new URL('../peers', import.meta.url));
const atOnce = 32;

/** How many tasks of each: about ten seconds of work. */
const peers = { langgraph: 400, dbos: 2000, mastra: 150 } as const;
type Peer = keyof typeof peers;

const packages: Record<Peer, string> = {
  langgraph: '@langchain/langgraph',
  dbos: '@dbos-inc/dbos-sdk',
  mastra: '@mastra/core',
};

interface PeerReport {
  at: string;
  url?: string;
  ms?: number;
  times?: number[];
  cpuUs?: number;
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

/** A load of `count` tasks, and what it wrote into the database. */
async function load(peer: Peer, env: Record<string, string>, count: number, lanes: number) {
  const child = await startPeer(peer, ['load', String(count), String(lanes)], env);
  await receive(child, 'begin');
  const before = await readWrittenBytes(env['DATABASE_URL'] ?? '');
  child.signal('SIGUSR2');
  const { ms = 0, times = [], cpuUs = 0 } = await receive(child, 'end');
  const written = (await readWrittenBytes(env['DATABASE_URL'] ?? '')) - before;
  await child.ended;
  return { perSecond: (count / ms) * 1000, cpuMs: cpuUs / 1000 / count, bytes: written / count, times };
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
  try {
    const database = await createPeerDatabase(place.serverUrl);
    const env = { HOME: home, PATH: process.env.PATH ?? '', MODEL_URL: model.url, DATABASE_URL: database };
    const together = await load(peer, env, peers[peer], atOnce);
    const alone = await load(peer, env, 100, 1);
    return summarise(readVersion(packages[peer]), together, alone.times, await crash(peer, env, model.child));
  } finally {
    await end(model.child);
    removeFolder(home);
  }
}

const howToInstall = `The others are not installed. Do that with

  npm ci --prefix bench/peers

which puts about 250 MB into bench/peers/node_modules and nothing anywhere else.`;

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
