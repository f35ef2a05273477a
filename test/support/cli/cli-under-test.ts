import { fileURLToPath } from 'node:url';
import { systemClock } from '@errand/base/clock.ts';
import { runErrand } from '../../../src/cli/index.ts';
import { Child } from '../process/child.ts';
import { compiledCode, program } from '../process/compiled-code.ts';
import { createFolder } from '../process/leftovers.ts';
import { TestHost } from './test-shell.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A data folder with a shell around it, like a user's. */
export class CliUnderTest {
  readonly dataDir: string;
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    this.dataDir = createFolder('cli');
    this.#env = {
      PATH: process.env.PATH ?? '',
      HOME: this.dataDir,
      ...compiledCode,
      ERRAND_DATA_DIR: this.dataDir,
      ERRAND_MODEL: 'offline/offline-1',
      ERRAND_PORT: '0',
      ERRAND_CONTENT_PORT: '0',
      ...env,
    };
  }

  /** Starts a command in a separate process; `env` adds to this shell's own. */
  async start(argv: readonly string[], env: Record<string, string> = {}): Promise<Child> {
    return Child.start(process.execPath, [program, ...argv], { env: { ...this.#env, ...env }, cwd: checkout });
  }

  /** Runs a command inside this process, where its code is already loaded, and returns its output. */
  async run(argv: readonly string[], env: Record<string, string> = {}, stdin = ''): Promise<Result> {
    const host = new TestHost({ ...this.#env, ...env }, { clock: systemClock, stdin });
    const code = await runErrand(argv, host);
    const read = (text: string) => text.replace(/\n$/, '');
    return { code, stdout: read(host.stdout.text), stderr: read(host.stderr.text) };
  }

  /** Runs a command in a separate process and returns its output. */
  async runProcess(argv: readonly string[], env: Record<string, string> = {}): Promise<Result> {
    return finish(await this.start(argv, env));
  }

  /** The one object printed by a command with `--json`; fails if it prints anything else. */
  async runJson(
    argv: readonly string[],
    env: Record<string, string> = {},
  ): Promise<Record<string, unknown> & { code: number | null }> {
    const { code, stdout, stderr } = await this.run([...argv, '--json'], env);
    if (!/^\{[^\n]*\}$/.test(stdout)) throw new Error(`not one JSON object: ${JSON.stringify({ argv, code, stdout, stderr })}`);
    return { ...(JSON.parse(stdout) as Record<string, unknown>), code };
  }
}

/** Waits for the end of a command. */
export async function finish(child: Child): Promise<Result> {
  const { code } = await child.ended;
  const read = (source: string) => child.lines.filter((line) => line.source === source).map(({ text }) => text);
  return { code, stdout: read('stdout').join('\n'), stderr: read('stderr').join('\n') };
}
