import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { requestHttp } from '@errand/base/net/node-http.ts';

export interface DiscoveryOptions {
  clock?: Clock;
  /** Time limit of the whole search. */
  deadlineMs?: number;
  /** Their default ports, and no others: anything else that listens would receive the user's data. */
  ollamaPort?: number;
  lmStudioPort?: number;
}

const ollamaTags = z.object({
  models: z.array(z.object({ name: z.string(), size: z.number().default(0), remote_host: z.string().optional() })),
});
const ollamaDetails = z.object({ capabilities: z.array(z.string()).default([]) });
const lmStudioModels = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Names of embedding models, which cannot chat. */
const embedding = /embed/i;

/** Maximum number of models queried for capabilities, largest first. */
const mostCandidates = 8;

interface Question {
  /** Makes it a POST. */
  body?: string;
  signal: AbortSignal;
}

async function ask<Schema extends z.ZodType>(schema: Schema, url: string, question: Question): Promise<z.infer<Schema>> {
  const { body, signal } = question;
  const request = requestHttp(url, { method: body === undefined ? 'GET' : 'POST', signal, agent: false });
  // Waiting callers receive the error too; without any, it is irrelevant.
  request.on('error', () => undefined);
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return schema.parse(await json(response));
}

/** The largest model that supports tools, else the largest chat model. Cloud models of Ollama are not local. */
async function findInOllama(port: number, signal: AbortSignal): Promise<string | null> {
  const root = `http://127.0.0.1:${port}`;
  const { models } = await ask(ollamaTags, `${root}/api/tags`, { signal });
  const candidates = models
    .filter((model) => model.remote_host === undefined)
    .toSorted((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1))
    .slice(0, mostCandidates);
  const able = await Promise.all(
    candidates.map(async ({ name }) => {
      const details = ask(ollamaDetails, `${root}/api/show`, { body: JSON.stringify({ model: name }), signal });
      return { name, abilities: (await details.catch(() => null))?.capabilities ?? [] };
    }),
  );
  const best =
    able.find(({ abilities }) => abilities.includes('tools')) ??
    able.find(({ abilities }) => abilities.includes('completion')) ??
    // Older Ollama versions report no capabilities.
    able.find(({ name, abilities }) => abilities.length === 0 && !embedding.test(name));
  return best ? `ollama/${best.name}` : null;
}

async function findInLmStudio(port: number, signal: AbortSignal): Promise<string | null> {
  const { data } = await ask(lmStudioModels, `http://127.0.0.1:${port}/v1/models`, { signal });
  const talker = data.find(({ id }) => !embedding.test(id));
  return talker ? `lmstudio/${talker.id}` : null;
}

/** The name of a model that Ollama or LM Studio offers on this machine, or null. Never fails and never exceeds its deadline. */
export async function findLocalModel(options: DiscoveryOptions = {}): Promise<string | null> {
  const { clock = systemClock, deadlineMs = 300, ollamaPort = 11_434, lmStudioPort = 1_234 } = options;
  const deadline = new AbortController();
  const timer = clock.setTimer(() => deadline.abort(), deadlineMs);
  const searches = [findInOllama(ollamaPort, deadline.signal), findInLmStudio(lmStudioPort, deadline.signal)];
  const [inOllama, inLmStudio] = await Promise.all(searches.map((search) => search.catch(() => null)));
  timer.cancel();
  return inOllama ?? inLmStudio ?? null;
}
