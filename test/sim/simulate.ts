import { World } from './sim-world.ts';

export interface Simulated {
  /** One number for everything that was stored: the same for the same seed. */
  digest: string;
  /** How often each thing happened. */
  tally: ReadonlyMap<string, number>;
  /** How long everything took to come to rest once nothing failed any more. */
  idleMs: number;
}

const stepsPerCheck = 20;

/** Lets a world run for so many steps, checks all invariants on the way, then stops all faults and waits for rest. */
export async function simulate(seed: number, steps: number): Promise<Simulated> {
  const world = new World(seed);
  await world.begin();
  for (let step = 1; step <= steps; step += 1) {
    await world.step();
    if (step % stepsPerCheck === 0) await world.check();
  }
  const idleMs = await world.settle();
  return { digest: world.digest(), tally: world.tally, idleMs };
}
