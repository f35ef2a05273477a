import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { WaitRequest } from './model-controls.ts';
import type { CallRecord, Rule } from './model-script.ts';

export type { CallRecord, Rule, Step } from './model-script.ts';

/** A model provider in a separate process that speaks the protocols of OpenAI, Anthropic, Google and the compatible ones. */
export interface ModelServer {
  /** Base URLs for the providers. */
  readonly openaiUrl: string;
  readonly anthropicUrl: string;
  readonly googleUrl: string;
  readonly pid: number;
  /** Replaces all rules. */
  script(rules: Rule[]): Promise<void>;
  calls(): Promise<CallRecord[]>;
  /** Resolves once this many calls have started or closed whose body contains `match`. */
  waitFor(wanted: WaitRequest): Promise<CallRecord[]>;
  /** Clears rules and calls. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export interface ModelServerOptions {
  /** False for benchmarks: requests are not even parsed while no rule is set. */
  recordsCalls?: boolean;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const entry = fileURLToPath(new URL('./model-process.ts', import.meta.url));
  const flags = options.recordsCalls === false ? ['--no-record'] : [];
  const child = spawn(process.execPath, ['--no-warnings', entry, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number };
  const root = `http://127.0.0.1:${port}`;

  async function control<Reply>(path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${root}/control/${path}`, { method: 'POST', body: JSON.stringify(body ?? null) });
    if (!response.ok) throw new Error(`model server control ${path}: ${response.status}`);
    return (await response.json()) as Reply;
  }

  return {
    openaiUrl: `${root}/v1`,
    anthropicUrl: `${root}/v1`,
    googleUrl: `${root}/v1beta`,
    pid: child.pid ?? 0,
    script: (rules) => control('script', rules),
    calls: () => control('calls'),
    waitFor: (wanted) => control('wait', wanted),
    async reset() {
      await control('script', []);
      await control('forget');
    },
    async stop() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}

/** One server for all tests of a file, without script at the start of each. */
export function useModelServer(receive: (server: ModelServer) => void): void {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
    receive(server);
  });
  afterAll(() => server.stop());
  beforeEach(() => server.reset());
}
