import { expect, it } from 'vitest';
import { PostgresConnection } from '../../src/store/db/postgres-connection.ts';
import { Deployment } from '../support/service/deployment.ts';
import { eventually } from '../support/service/service-client.ts';

/** The number of an advisory lock for which every start of a task waits. */
const gate = 2061;
const closeGate = `
  CREATE FUNCTION wait_at_gate() RETURNS TRIGGER LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(${gate}); RETURN NEW; END';
  CREATE TRIGGER gate BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION wait_at_gate();
  SELECT pg_advisory_lock(${gate})`;
/** What the dead process had asked for would still happen once the gate opens. */
const endWaiting = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${gate} AND NOT granted`;

it('a run that a dead process held goes on at once in another, however long its lease lasts', { timeout: 600_000 }, async () => {
  await using deployment = await Deployment.start('api and two workers');
  const [holder, other] = deployment.twoWorkers;
  await other.kill();
  const connection = new PostgresConnection(String(deployment.commandEnv.ERRAND_DATABASE_URL));
  const direct = await connection.get();
  await direct.query(closeGate);
  const times = { interval_seconds: 5, overlap: 'parallel', catch_up: 'all' };
  await deployment.client.ask('schedule.create', { name: 'Tick', message: 'say done', ...times });
  const readFirst = async () =>
    (await deployment.query('SELECT due_at, tries, outcome FROM schedule_runs ORDER BY due_at LIMIT 1'))[0];
  await eventually('a process waits at the gate with the run', async () =>
    (await direct.query(`SELECT 1 FROM pg_locks WHERE objid = ${gate} AND NOT granted`)).rows.length > 0 ? true : null,
  );
  expect(await readFirst()).toMatchObject({ tries: 1, outcome: null });
  await direct.query('UPDATE schedule_runs SET ready_at = ready_at + 86400000 WHERE tries = 1');
  await other.restart();
  await holder.kill();
  await direct.query(endWaiting);
  await direct.query(`SELECT pg_advisory_unlock(${gate})`);
  const { tries } = await eventually('the other starts it', async () => {
    const first = await readFirst();
    return first?.['outcome'] === 'started' ? first : null;
  });
  expect(tries).toBe(2);
  await connection.close();
});
