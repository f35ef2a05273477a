import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { jobs } from '../../bench/agent/index.ts';
import { triedRecipes } from '../../bench/agent/jobs/recipe-jobs.ts';
import { Stages } from '../../bench/agent/play-jobs.ts';
import { shippedRecipes } from '../../src/rules/recipes/shipped-recipes.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const played = jobs.flatMap((job) => (job.kind === 'played' && !job.isHeavy ? [job] : []));
const tested = jobs.flatMap((job) => (job.kind === 'tested' ? [job] : []));

describe('an agent does its job', () => {
  const stages = new Stages();
  afterAll(() => stages.end());

  it.each(played.map((job) => [job.name, job.about, job] as const))('%s: %s', async (_name, _about, job) => {
    expect((await stages.play(job)).problem).toBeNull();
  });
});

describe('the jobs of the bench', () => {
  it('try every recipe that comes with the service', () => {
    expect(triedRecipes.toSorted()).toEqual(shippedRecipes.map(({ name }) => name).toSorted());
  });

  it('have names of their own, forty at least, and refer to tests that exist', () => {
    expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length);
    expect(jobs.length).toBeGreaterThanOrEqual(40);
    for (const { file, test } of tested) expect(readFileSync(`${checkout}/${file}`, 'utf8'), file).toContain(test);
  });
});
