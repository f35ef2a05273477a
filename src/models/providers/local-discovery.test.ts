import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { findLocalModel } from './local-discovery.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

type Answer = (path: string, body: string) => unknown;

async function serve(answer: Answer): Promise<number> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.once('end', () => {
      const value = answer(request.url ?? '', body);
      if (value !== undefined) response.end(typeof value === 'string' ? value : JSON.stringify(value));
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function findUnusedPort(): Promise<number> {
  const server = createNetServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Installed {
  name: string;
  size: number;
  capabilities?: string[];
  remote_host?: string;
}

function ollamaWith(...models: Installed[]): Answer {
  return (path, body) => {
    if (path === '/api/tags') return { models };
    const asked = (JSON.parse(body) as { model: string }).model;
    return { capabilities: models.find((model) => model.name === asked)?.capabilities };
  };
}

const patient = 60_000;

async function find(ports: { ollama?: Answer; lmStudio?: Answer }): Promise<string | null> {
  const port = (answer: Answer | undefined) => (answer ? serve(answer) : findUnusedPort());
  const [ollamaPort, lmStudioPort] = await Promise.all([port(ports.ollama), port(ports.lmStudio)]);
  return findLocalModel({ ollamaPort, lmStudioPort, deadlineMs: patient });
}

describe('findLocalModel', () => {
  it('finds nothing if no server is listening', async () => {
    expect(await find({})).toBeNull();
  });

  it('prefers the largest model that can call tools', async () => {
    const ollama = ollamaWith(
      { name: 'small:1b', size: 1, capabilities: ['completion', 'tools'] },
      { name: 'good:8b', size: 5, capabilities: ['completion', 'tools'] },
      { name: 'mute:70b', size: 40, capabilities: ['completion'] },
      { name: 'nomic-embed', size: 90, capabilities: ['embedding'] },
    );
    expect(await find({ ollama })).toBe('ollama/good:8b');
  });

  it('accepts a model without tools rather than none, and ignores embedding models', async () => {
    const talker = { name: 'gemma:2b', size: 1, capabilities: ['completion'] };
    const embedder = { name: 'vectors', size: 9, capabilities: ['embedding'] };
    expect(await find({ ollama: ollamaWith(talker, embedder) })).toBe('ollama/gemma:2b');
    expect(await find({ ollama: ollamaWith(embedder) })).toBeNull();
    expect(await find({ ollama: ollamaWith({ name: 'mxbai-embed-large', size: 9 }, { name: 'llama2', size: 1 }) })).toBe(
      'ollama/llama2',
    );
  });

  it('ignores models that would send the conversation to another machine', async () => {
    const remote = { name: 'giant:cloud', size: 1, capabilities: ['completion', 'tools'], remote_host: 'https://example.com' };
    expect(await find({ ollama: ollamaWith(remote) })).toBeNull();
  });

  it('uses LM Studio if Ollama has no model', async () => {
    const lmStudio: Answer = () => ({ data: [{ id: 'text-embedding-nomic' }, { id: 'qwen/qwen3-8b' }] });
    expect(await find({ lmStudio })).toBe('lmstudio/qwen/qwen3-8b');
    expect(await find({ lmStudio, ollama: ollamaWith() })).toBe('lmstudio/qwen/qwen3-8b');
    expect(await find({ lmStudio, ollama: ollamaWith({ name: 'a', size: 1, capabilities: ['tools'] }) })).toBe('ollama/a');
  });

  it('ignores responses of other servers', async () => {
    for (const answer of ['<html>', '[]', '{"models":7}', 'null']) {
      expect(await find({ ollama: () => answer, lmStudio: () => answer })).toBeNull();
    }
  });

  it('gives up at its deadline', async () => {
    const { promise: asked, resolve: resolveAsked } = Promise.withResolvers<void>();
    const silent = await serve(() => resolveAsked());
    const { promise: due, resolve: resolveDue } = Promise.withResolvers<() => void>();
    const clock: Clock = { ...systemClock, setTimer: (run) => (resolveDue(run), { cancel: () => undefined }) };
    const found = findLocalModel({ clock, ollamaPort: silent, lmStudioPort: await findUnusedPort() });
    await asked;
    (await due)();
    expect(await found).toBeNull();
  });
});
