import { pause } from '@errand/base/clock.ts';
import { createLog, type Log } from '@errand/base/log.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { type ExitCode, exitCode, UsageFault } from '../exit-code.ts';
import { printJson } from '../output/print.ts';
import type { ChildService, Processes, Shell } from '../shell.ts';
import { EndedEarly, untilReady } from './sibling.ts';

/** Pauses before a process that ended is started again: the first, and the longest of those that double it. */
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A process that lived this long has not ended because of its start. */
const steadyMs = 60_000;
const mostProcesses = 64;

/** The number of processes asked for, and what starts them. Throws `UsageFault`, or `StartFault` where there can be only one. */
export function readProcessCount(
  { config, processes }: Pick<Shell, 'config' | 'processes'>,
  text: string,
): { count: number; processes: Processes } {
  const count = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > mostProcesses) throw new UsageFault(`--processes must be a number from 1 to ${mostProcesses}`);
  if (config.secrets.databaseUrl === null) {
    throw new StartFault('--processes: the embedded database belongs to one process; set ERRAND_DATABASE_URL to use PostgreSQL');
  }
  if (!processes?.canSharePorts) {
    throw new StartFault('--processes: only Linux shares a port between processes; start them on ports of their own instead');
  }
  return { count, processes };
}

function portOf(url: unknown): string | null {
  return typeof url === 'string' ? new URL(url).port : null;
}

/** The ports of a process as settings, as far as it has them. */
function portSettings(ports: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ports).flatMap(([name, port]) => (port === null ? [] : [[name, port]])));
}

/** The processes of a service on one port, each of which is started again when it ends. */
class Supervisor {
  readonly #shell: Shell;
  readonly #processes: Processes;
  readonly #log: Log;
  readonly #siblings = new Set<ChildService>();
  #ports: Record<string, string> = {};

  constructor(shell: Shell, processes: Processes) {
    this.#shell = shell;
    this.#processes = processes;
    this.#log = createLog(shell.config.logLevel, shell.stdout);
    shell.signal.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Starts them all and keeps them running until the interrupt. Rejects with `EndedEarly` if one does not become ready. */
  async run(count: number): Promise<void> {
    try {
      const first = this.#start(0);
      const line = await untilReady(first);
      // The first one has created what all need: the schema, the first account, the ports.
      this.#ports = portSettings({ ERRAND_PORT: portOf(line.url), ERRAND_CONTENT_PORT: portOf(line.content_url) });
      const all = [first, ...Array.from({ length: count - 1 }, (_, index) => this.#start(index + 1))];
      const lines = await Promise.all(all.map(untilReady));
      const urls = lines.flatMap(({ monitoring_url: url }) => (typeof url === 'string' ? [url] : []));
      printJson(this.#shell, { ...line, processes: count, ...(urls.length > 0 && { monitoring_urls: urls }) });
      await Promise.all(all.map((sibling, index) => this.#keep(index, sibling)));
    } catch (error) {
      this.#stop();
      await Promise.all([...this.#siblings].map(({ ended }) => ended));
      throw error;
    }
  }

  /** @param index of the process, from 0 */
  #start(index: number): ChildService {
    const { monitoringPort } = this.#shell.config;
    const ownPort = monitoringPort === null || monitoringPort === 0 ? null : String(monitoringPort + index);
    const sibling = this.#processes.start({ ...this.#ports, ...portSettings({ ERRAND_MONITORING_PORT: ownPort }) });
    this.#siblings.add(sibling);
    void sibling.ended.then(() => this.#siblings.delete(sibling));
    if (this.#shell.signal.aborted) sibling.stop();
    return sibling;
  }

  #stop(): void {
    for (const sibling of this.#siblings) sibling.stop();
  }

  async #keep(index: number, first: ChildService): Promise<void> {
    const { clock, signal } = this.#shell;
    let pauseMs = firstPauseMs;
    for (let sibling = first; ; sibling = this.#start(index)) {
      const startedAt = clock.monotonic();
      const exit = await sibling.ended;
      if (signal.aborted) return;
      if (clock.monotonic() - startedAt >= steadyMs) pauseMs = firstPauseMs;
      this.#log.error({ process: index + 1, ...exit, pause_ms: pauseMs }, 'a process of the service ended; it is started again');
      await pause(clock, pauseMs, signal);
      if (signal.aborted) return;
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    }
  }
}

/** Runs `count` processes until the interrupt. One that does not start ends them all, with its exit code. */
export async function superviseProcesses(shell: Shell, processes: Processes, count: number): Promise<ExitCode> {
  try {
    await new Supervisor(shell, processes).run(count);
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error;
    if (shell.signal.aborted) return exitCode.done;
    return Object.values(exitCode).find((known) => known !== exitCode.done && known === error.exit.code) ?? exitCode.failed;
  }
}
