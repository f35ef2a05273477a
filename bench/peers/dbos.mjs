import { DBOS } from '@dbos-inc/dbos-sdk';
import { databaseUrl, modelUrl, noteToolRun, serve } from './job.mjs';

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

const agent = DBOS.registerWorkflow(
  async (text) => {
    const messages = [{ role: 'user', content: text }];
    for (;;) {
      const message = await DBOS.runStep(() => askModel(messages), { name: 'model' });
      messages.push(message);
      if (!message.tool_calls) return message.content;
      for (const call of message.tool_calls) {
        const content = await DBOS.runStep(look, { name: 'look' });
        messages.push({ role: 'tool', tool_call_id: call.id, content });
      }
    }
  },
  { name: 'agent' },
);

DBOS.setConfig({ name: 'bench', systemDatabaseUrl: databaseUrl, logLevel: 'error', runAdminServer: false });
await DBOS.launch();

async function acceptTask(id, text) {
  const handle = await DBOS.startWorkflow(agent, { workflowID: id })(text);
  return { ended: handle.getResult() };
}

await serve({
  acceptTask,
  runTask: async (id, text) => (await acceptTask(id, text)).ended,
  // `launch` has taken up what the process of the same name left.
  async resume(id) {
    await DBOS.retrieveWorkflow(id).getResult();
    return { isAutomatic: true };
  },
});
