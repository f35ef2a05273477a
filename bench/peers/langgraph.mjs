import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { ChatOpenAI } from '@langchain/openai';
import pg from 'pg';
import { z } from 'zod';
import { databaseUrl, modelUrl, noteToolRun, serve } from './job.mjs';

const look = tool(
  () => {
    noteToolRun();
    return 'It is red.';
  },
  { name: 'look', description: 'Looks.', schema: z.object({ at: z.string() }) },
);
const model = new ChatOpenAI({ model: 'mock', apiKey: 'none', configuration: { baseURL: modelUrl }, maxRetries: 0 }).bindTools([
  look,
]);
const checkpointer = new PostgresSaver(new pg.Pool({ connectionString: databaseUrl, max: 32 }));
await checkpointer.setup();
const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode('tools', new ToolNode([look]))
  .addEdge(START, 'model')
  .addConditionalEdges('model', ({ messages }) => (messages.at(-1).tool_calls?.length ? 'tools' : END))
  .addEdge('tools', 'model')
  .compile({ checkpointer });
const configOf = (id) => ({ configurable: { thread_id: id }, durability: 'sync' });

await serve({
  runTask: (id, text) => graph.invoke({ messages: [{ role: 'user', content: text }] }, configOf(id)),
  // Nothing looks for unfinished threads; a caller that knows the ID of one resumes it.
  async resume(id) {
    await graph.invoke(null, configOf(id));
    return { isAutomatic: false };
  },
});
