import { pause, systemClock } from '@errand/base/clock.ts';
import type { Chance } from '../support/base/chance.ts';
import type { PostgresServer } from '../support/db/postgres-server.ts';
import type { Node } from './chaos-cluster.ts';
import type { DataDisk } from './data-disk.ts';

/** A line for each fault, with the time since the start. */
export type NoteFault = (text: string) => void;

const second = 1000;
const day = 24 * 3600 * second;
/** Tries of a supervisor that starts a process again, as `restart: unless-stopped` does. */
const startTries = 60;
const startPauseMs = 1000;

const wait = (ms: number) => pause(systemClock, ms);

async function startAgain({ process, name }: Node, note: NoteFault): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await process.restart();
    } catch (error) {
      if (tries === startTries) throw error;
      note(`${name} did not start: ${(error as Error).message.split('\n').at(-1)}`);
      await wait(startPauseMs);
    }
  }
}

async function kill(node: Node, chance: Chance, note: NoteFault): Promise<void> {
  const downMs = chance.pick([0, 500, 3000, 8000]);
  note(`${node.name}: SIGKILL, down for ${downMs} ms`);
  await node.process.kill();
  await wait(downMs);
  await startAgain(node, note);
}

async function killAtStart(node: Node, chance: Chance, note: NoteFault): Promise<void> {
  const afterMs = chance.integer(50, 1500);
  note(`${node.name}: SIGKILL, and again ${afterMs} ms after its start`);
  await node.process.kill();
  const starting = Promise.allSettled([node.process.restart()]);
  await wait(afterMs);
  await node.process.kill();
  await starting;
  await startAgain(node, note);
}

async function freeze(node: Node, chance: Chance, note: NoteFault): Promise<void> {
  const ms = chance.pick([200, 2000, 7000, 12_000]);
  note(`${node.name}: SIGSTOP for ${ms} ms`);
  node.process.pause();
  await wait(ms);
  node.process.resume();
}

async function drop(node: Node, chance: Chance, note: NoteFault): Promise<void> {
  const isBack = node.back !== null && chance.happens(0.5);
  note(`${node.name}: connections ${isBack ? 'to the database' : 'of clients'} dropped`);
  (isBack ? node.back : node.front)?.cut();
  await wait(0);
}

async function slowDown(node: Node, chance: Chance, note: NoteFault): Promise<void> {
  const isBack = node.back !== null && chance.happens(0.5);
  const [delayMs, ms] = [chance.pick([20, 150, 600]), chance.integer(1, 6) * second];
  note(`${node.name}: network ${isBack ? 'to the database' : 'of clients'} slower by ${delayMs} ms for ${ms} ms`);
  const link = isBack ? node.back : node.front;
  link?.slowDown(delayMs);
  await wait(ms);
  link?.slowDown(0);
}

async function jumpClock(node: Node, chance: Chance, note: NoteFault): Promise<void> {
  const offsetMs = chance.pick([-day, -3600 * second, -20 * second, 20 * second, 3600 * second, day, 400 * day]);
  const ms = chance.integer(1, 10) * second;
  note(`${node.name}: clock off by ${offsetMs / second} s for ${ms} ms`);
  node.setClock(offsetMs);
  await wait(ms);
  node.setClock(0);
}

const nodeFaults = [kill, kill, killAtStart, freeze, drop, slowDown, jumpClock] as const;

/** Ends loops of faults in the middle of their pauses. */
const pauseOrEnd = (ms: number, end: AbortSignal) => pause(systemClock, ms, end);

/** One process meets faults, one after the other, until the end; then it runs and its clock is right. */
export async function troubleNode(node: Node, chance: Chance, end: AbortSignal, note: NoteFault): Promise<void> {
  for (;;) {
    await pauseOrEnd(chance.integer(1, 15) * second, end);
    if (end.aborted) return;
    await chance.pick(nodeFaults)(node, chance, note);
  }
}

/** The disk of the data folder is full now and then. */
export async function troubleDisk(disk: DataDisk, chance: Chance, end: AbortSignal, note: NoteFault): Promise<void> {
  for (;;) {
    await pauseOrEnd(chance.integer(20, 50) * second, end);
    if (end.aborted) return;
    const ms = chance.integer(1, 5) * second;
    note(`disk full for ${ms} ms`);
    disk.fill();
    await wait(ms);
    disk.free();
  }
}

/** The database server crashes now and then. */
export async function troubleDatabase(server: PostgresServer, chance: Chance, end: AbortSignal, note: NoteFault): Promise<void> {
  for (;;) {
    await pauseOrEnd(chance.integer(25, 60) * second, end);
    if (end.aborted) return;
    const ms = chance.pick([0, 1000, 5000]);
    note(`database: SIGKILL, down for ${ms} ms`);
    await server.kill();
    await wait(ms);
    await server.restart();
  }
}
