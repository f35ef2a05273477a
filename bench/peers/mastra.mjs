import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { createTool } from '@mastra/core/tools';
import { PostgresStore } from '@mastra/pg';
import { z } from 'zod';
import { databaseUrl, modelUrl, noteToolRun, serve } from './job.mjs';

const look = createTool({
  id: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.string() }),
  execute: async () => {
    noteToolRun();
    return 'It is red.';
  },
});
const agent = new Agent({
  id: 'agent',
  name: 'agent',
  instructions: 'Be brief.',
  model: { id: 'custom/mock', url: modelUrl, apiKey: 'none' },
  tools: { look },
});
const durable = createDurableAgent({ agent });
const storage = new PostgresStore({ id: 'store', connectionString: databaseUrl, max: 32 });
const mastra = new Mastra({ agents: { durable }, storage, logger: false, recovery: { durableAgents: 'auto' } });
await storage.init();

await serve({
  async runTask(id, text) {
    const { output, cleanup } = await durable.stream(text, { runId: id });
    await output.text;
    cleanup();
  },
  // What its server does when it starts with `recovery: { durableAgents: 'auto' }`.
  async resume() {
    await mastra.recoverAllDurableAgents();
    return { isAutomatic: true };
  },
});
