// What every peer does: it takes tasks over HTTP until it is killed, or runs one that is slow and will be killed. It is told on standard output.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

export const modelUrl = process.env.MODEL_URL;
export const databaseUrl = process.env.DATABASE_URL;

/** Runs of the tool, where somebody counts them. */
export function noteToolRun() {
  if (process.env.RUNS_FILE) appendFileSync(process.env.RUNS_FILE, 'run\n');
}

let done = 0;

/** Counts a finished task of a peer whose tasks do not pass through `listen`. */
export function noteEnd() {
  done += 1;
}

async function readText(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString()).message.content;
}

/** `/progress` tells how many tasks are done; a POST runs one, and `/accept` answers as soon as it is stored. */
async function listen({ acceptTask, runTask }) {
  let next = 0;
  const server = createServer(async (request, response) => {
    if (request.url === '/progress') return response.end(JSON.stringify({ done, ms: performance.now() }));
    const text = await readText(request);
    const id = `task-${process.pid}-${next++}`;
    if (request.url === '/accept') void (await acceptTask(id, text)).ended.then(noteEnd);
    else await runTask(id, text).then(noteEnd);
    const body = JSON.stringify({ ok: true, task_id: id });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

function report(fact) {
  console.log(JSON.stringify(fact));
}

/**
 * `runTask(id, text)` resolves when the task is done; `acceptTask(id, text)` when it is stored and will be done, with the promise of its
 * end, if the product has that; `resume(id)` when a task that a killed process left is done, by what the product offers. `ingress` has paths
 * for a product whose server takes the requests itself.
 */
export async function serve({ runTask, acceptTask, resume, ingress }) {
  const [mode] = process.argv.slice(2);
  if (mode === 'serve') {
    const own = await listen({ acceptTask, runTask });
    const places = ingress ?? { url: own, waitPath: '/run', acceptPath: acceptTask ? '/accept' : null };
    return report({ at: 'begin', progressUrl: `${own}/progress`, ...places });
  }
  if (mode === 'start') {
    report({ at: 'begin' });
    await runTask('task-to-kill', 'Look at it, slow.');
    report({ at: 'end' });
  } else {
    const { isAutomatic } = await resume('task-to-kill');
    report({ at: 'end', isAutomatic });
  }
  return process.exit(0);
}
