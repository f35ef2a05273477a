/**
 * Makes a recorded example of a finished task: `node scripts/examples/record-example.mjs NAME TASK_ID`, with the service in ERRAND_URL and a
 * key in ERRAND_API_KEY. Writes its events and files to web/examples/NAME, as the web application replays them.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [, , name, taskId] = process.argv;
const { ERRAND_URL: base = 'http://127.0.0.1:7070', ERRAND_API_KEY: key } = process.env;
if (!/^[a-z][a-z-]*$/.test(name ?? '') || taskId === undefined || key === undefined) {
  process.stderr.write('usage: ERRAND_API_KEY=… node scripts/examples/record-example.mjs NAME TASK_ID\n');
  process.exit(64);
}

/** @param {string} operation @param {Record<string, string>} input */
async function read(operation, input) {
  const response = await fetch(`${base}/v2/${operation}?${new URLSearchParams(input)}`, {
    headers: { 'x-service-api-key': String(key) },
  });
  const answer = await response.json();
  if (answer.ok !== true) throw new Error(`${operation}: ${answer.error?.message}`);
  return answer;
}

const { task } = await read('task.detail', { task_id: taskId });
if (task.status !== 'stopped') throw new Error(`The task is ${task.status}; only a finished one is an example.`);
const { messages, has_more: hasMore } = await read('task.listMessages', {
  task_id: taskId,
  verbose: 'true',
  order: 'asc',
  limit: '200',
  slides_format: 'pptx',
});
if (hasMore) throw new Error('The task has more than 200 events, too many for an example.');

const folder = fileURLToPath(new URL(`../../web/examples/${name}`, import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(`${folder}/files`, { recursive: true });
for (const event of messages) {
  for (const attachment of event[event.type].attachments ?? []) {
    // No pages: the files are served from the origin of the application.
    if (!/^[\w-]+\.(csv|docx|md|pdf|png|pptx|txt|xlsx)$/.test(attachment.filename))
      throw new Error(`${attachment.filename} is no file for an example.`);
    const response = await fetch(attachment.url);
    if (!response.ok) throw new Error(`${attachment.filename}: ${response.status}`);
    writeFileSync(`${folder}/files/${attachment.filename}`, Buffer.from(await response.arrayBuffer()));
    attachment.url = attachment.filename;
  }
}
writeFileSync(`${folder}/run.json`, `${JSON.stringify({ title: task.title, messages }, null, 1)}\n`);
process.stdout.write(`${folder}: ${messages.length} events\n`);
