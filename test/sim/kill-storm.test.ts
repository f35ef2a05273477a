import { describe, expect, it } from 'vitest';
import { maxCrashes } from '../../src/rules/tasks/crash-blame.ts';
import { KillStorm, type StormTask } from './kill-storm.ts';

const stormMs = 300_000;
const kills = 67;
const taskCount = 1384;

/** Tasks and kills of a storm, spread evenly over its time. */
async function storm(world: KillStorm): Promise<StormTask[]> {
  await world.begin(4);
  const tasks: StormTask[] = [];
  for (let killed = 0; killed < kills; killed += 1) {
    const due = Math.ceil(((killed + 1) * taskCount) / kills);
    while (tasks.length < due) tasks.push(await world.create(`task ${tasks.length}`));
    await world.clock.advance(Math.round(stormMs / kills));
    world.killOne();
  }
  return tasks;
}

describe('a storm of kills', () => {
  it('ends no innocent task: 67 kills in five minutes over 1,384 tasks', async () => {
    const world = new KillStorm(11, 4000);
    const tasks = await storm(world);
    await world.settle(3_600_000);
    const ends = await world.readEnds();
    expect(world.deaths).toHaveLength(kills);
    expect(tasks.filter(({ taskId }) => ends.get(taskId) !== 'stopped')).toEqual([]);
  });

  it('does not save a task that ends its worker each time: it is stopped, and others lose a bounded number of steps', async () => {
    const world = new KillStorm(12, 4000);
    await world.begin(2);
    const culprit = await world.create('poison');
    const others: StormTask[] = [];
    for (let second = 0; second < 600; second += 1) {
      others.push(await world.create(`task ${second}`));
      await world.clock.advance(1000);
    }
    await world.settle(3_600_000);
    const ends = await world.readEnds();
    expect(ends.get(culprit.taskId)).toBe('worker_failed');
    expect(world.deaths).toHaveLength(maxCrashes);
    expect(world.deaths.every((death) => death.culprit === 'poison')).toBe(true);
    expect(others.filter(({ taskId }) => ends.get(taskId) !== 'stopped')).toEqual([]);
    // No task loses more than a step by each of the deaths before the culprit runs alone.
    const losses = new Map<string, number>();
    for (const text of world.deaths.flatMap(({ harmed }) => harmed)) losses.set(text, (losses.get(text) ?? 0) + 1);
    expect(Math.max(0, ...losses.values())).toBeLessThan(maxCrashes);
  });

  it('stops each of many tasks that end their worker, and none of the others', async () => {
    const world = new KillStorm(13, 3000);
    await world.begin(3);
    const culprits = [await world.create('poison 1'), await world.create('poison 2'), await world.create('poison 3')];
    const others: StormTask[] = [];
    for (let second = 0; second < 300; second += 1) {
      others.push(await world.create(`task ${second}`));
      await world.clock.advance(1000);
    }
    await world.settle(3_600_000);
    const ends = await world.readEnds();
    expect(culprits.map(({ taskId }) => ends.get(taskId))).toEqual(culprits.map(() => 'worker_failed'));
    expect(others.filter(({ taskId }) => ends.get(taskId) !== 'stopped')).toEqual([]);
  });
});
