import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

/**
 * More of the simulation than the commit gate has time for: `node test/sim/main.ts --steps 100000 --seed 42`. Each thousand
 * steps is a separate world, whose seed is printed if something is wrong; `--seed` of that with `--steps 1000` repeats it.
 */
const { values } = parseArgs({ options: { steps: { type: 'string', default: '100000' }, seed: { type: 'string' } } });
const stepsPerWorld = 1000;
const firstSeed = Number(values.seed ?? Date.now() % 1_000_000_000);
const worlds = Math.ceil(Number(values.steps) / stepsPerWorld);
for (let count = 0; count < worlds; count += 1) {
  const seed = firstSeed + count;
  try {
    const { idleMs, tally } = await simulate(seed, Math.min(stepsPerWorld, Number(values.steps)));
    console.log(
      `seed ${seed}: ok, ${tally.get('create')} tasks, ${tally.get('crash')} crashes, at rest after ${idleMs / 1000} s`,
    );
  } catch (error) {
    console.error(`seed ${seed}: ${(error as Error).message}`);
    process.exitCode = 1;
    break;
  }
}
