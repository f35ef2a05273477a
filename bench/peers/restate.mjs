import * as restate from '@restatedev/restate-sdk';
import { modelUrl, noteEnd, noteToolRun, serve } from './job.mjs';

// Its server keeps the tasks and calls this process; whoever creates a task asks the server.
const { RESTATE_INGRESS, RESTATE_ADMIN, SERVICE_PORT } = process.env;
const tools = [
  {
    type: 'function',
    function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
  },
];

async function askModel(messages) {
  const response = await fetch(`${modelUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock', messages, tools }),
  });
  return (await response.json()).choices[0].message;
}

async function look() {
  noteToolRun();
  return 'It is red.';
}

const agent = restate.service({
  name: 'agent',
  handlers: {
    run: async (context, { message: { content: text } }) => {
      const messages = [{ role: 'user', content: text }];
      for (;;) {
        const message = await context.run('model', () => askModel(messages));
        messages.push(message);
        if (!message.tool_calls) {
          noteEnd();
          return message.content;
        }
        for (const call of message.tool_calls) {
          messages.push({ role: 'tool', tool_call_id: call.id, content: await context.run('look', look) });
        }
      }
    },
  },
});

const send = (path, body, headers = {}) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

await restate.serve({ services: [agent], port: Number(SERVICE_PORT), logger: () => undefined });
const registered = await send(`${RESTATE_ADMIN}/deployments`, { uri: `http://127.0.0.1:${SERVICE_PORT}`, force: true });
if (!registered.ok) throw new Error(await registered.text());

const runTask = (id, content) => send(`${RESTATE_INGRESS}/agent/run`, { message: { content } }, { 'idempotency-key': id });

await serve({
  runTask,
  // Its server calls again on its own; asking with the same key waits for the same task.
  async resume(id) {
    await runTask(id, 'Look at it, slow.');
    return { isAutomatic: true };
  },
  ingress: { url: RESTATE_INGRESS, waitPath: '/agent/run', acceptPath: '/agent/run/send' },
});
