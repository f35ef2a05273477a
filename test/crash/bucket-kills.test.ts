import { expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import { S3Storage, storageKeys } from '../support/files/s3-storage.ts';
import { beginRun } from '../support/process/crash-run.ts';
import { Deployment } from '../support/service/deployment.ts';
import { eventually } from '../support/service/service-client.ts';

/** A look takes fifty at most, so a kill finds some taken and some not. */
const objectsPerRound = 12;

it('every object of a watched bucket starts one task, whatever is killed while it is taken', { timeout: 3_600_000 }, async () => {
  const run = beginRun('watched buckets, api and two workers', { gate: 2, night: 50 });
  await using storage = await S3Storage.start();
  const env = { ERRAND_OUTBOUND_ALLOW: '127.0.0.1/32' };
  await using deployment = await Deployment.start('api and two workers', { env });
  const { client, workers } = deployment;
  const names = Array.from({ length: (run.rounds + 1) * objectsPerRound }, (_, index) => `${index}.txt`);
  const count = async (text: string) => Number((await deployment.query(`SELECT COUNT(*) AS count FROM ${text}`))[0]?.['count']);
  const started = "tasks WHERE task_type = 'standard'";
  const countStarted = () => count(started);
  // A look that died with its process would be due at the end of its lease, in ten minutes.
  const endLooks = () => deployment.query('UPDATE triggers SET look_at = 0 WHERE look_at IS NOT NULL RETURNING id');
  const lookOnce = async () => {
    const before = await countStarted();
    await endLooks();
    const isDone = (now: number) => now > before || now >= names.length;
    await eventually('an object is taken', async () => (isDone(await countStarted()) ? true : null));
  };
  const lookThrough = async () => {
    await endLooks();
    // Under way, it is due again in minutes.
    const ended = 'triggers WHERE look_at > errand_now() AND look_at < errand_now() + 120000';
    await eventually('a look has ended', async () => ((await count(ended)) > 0 ? true : null));
  };
  const bucket = { endpoint: storage.endpoint, name: 'drop', ...storageKeys };
  await client.ask('trigger.create', { name: 'Drop', type: 'bucket', message_template: 'say {{name}}', bucket });
  for (const name of names) storage.put(name, name);
  let killed = 0;
  for (let round = 0; round < run.rounds && (await countStarted()) < names.length; round += 1) {
    await lookOnce();
    await pause(systemClock, run.chance.integer(0, 150));
    const victims = workers.filter(() => run.chance.happens(0.7));
    await Promise.all(victims.map((victim) => victim.kill()));
    killed += victims.length;
    run.note({ round, killed: victims.length, started: await countStarted() });
    await Promise.all(victims.map((victim) => victim.restart()));
  }
  while ((await countStarted()) < names.length) await lookOnce();
  run.measure({ objects: names.length, killed });
  await lookThrough();
  const titles = (await deployment.query(`SELECT title FROM ${started}`)).map(({ title }) => String(title));
  expect(titles.toSorted()).toEqual(names.map((name) => `say ${name}`).toSorted());
});
