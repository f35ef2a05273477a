// What every peer does: so many tasks, so many at a time, or one that is slow and will be killed. It is told on standard output.
import { appendFileSync } from 'node:fs';

export const modelUrl = process.env.MODEL_URL;
export const databaseUrl = process.env.DATABASE_URL;

/** Runs of the tool, where somebody counts them. */
export function noteToolRun() {
  if (process.env.RUNS_FILE) appendFileSync(process.env.RUNS_FILE, 'run\n');
}

async function runMany(runTask, count, atOnce) {
  const times = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const id = `task-${process.pid}-${next++}`;
      const startedAt = performance.now();
      await runTask(id, 'Look at it.');
      times.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { ms: performance.now() - startedAt, times };
}

function report(fact) {
  console.log(JSON.stringify(fact));
}

/** `runTask(id, text)` resolves when the task is done; `resume(id)` when one that a killed process left is, by what the product offers. */
export async function serve({ runTask, resume }) {
  const [mode, count, atOnce] = process.argv.slice(2);
  if (mode === 'load') {
    await runMany(runTask, 40, Number(atOnce));
    const isAsked = new Promise((resolve) => process.once('SIGUSR2', resolve));
    const staysAlive = setInterval(() => undefined, 1000);
    report({ at: 'begin' });
    await isAsked;
    clearInterval(staysAlive);
    const before = process.cpuUsage();
    const { ms, times } = await runMany(runTask, Number(count), Number(atOnce));
    const { user, system } = process.cpuUsage(before);
    report({ at: 'end', ms, times, cpuUs: user + system });
  } else if (mode === 'start') {
    report({ at: 'begin' });
    await runTask('task-to-kill', 'Look at it, slow.');
    report({ at: 'end' });
  } else if (mode === 'resume') {
    const startedAt = performance.now();
    const { isAutomatic } = await resume('task-to-kill');
    report({ at: 'end', ms: performance.now() - startedAt, isAutomatic });
  }
  process.exit(0);
}
