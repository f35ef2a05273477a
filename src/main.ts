import { fork } from 'node:child_process';
import { systemClock } from '@errand/base/clock.ts';
import { runErrand } from './cli/index.ts';
import type { ChildService } from './cli/shell.ts';

const { argv, stdin, stdout, stderr, version, platform } = process;
/** Set for processes that a supervisor has started (`serve --processes`). */
const { ERRAND_SUPERVISED, ...env } = process.env;
const interrupt = new AbortController();
let interruptedAtMs: number | null = null;

/** A terminal signals npm and the program that npm runs, and npm passes its own signal on: within this time, both are one. */
const echoMs = ['start', 'npx'].includes(env.npm_lifecycle_event ?? '') ? 500 : 0;

/** Conventional exit codes of processes that a signal ended. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

for (const [name, code] of Object.entries(signals)) {
  process.on(name, () => {
    // The first asks for an orderly end, the second is impatient.
    const nowMs = systemClock.monotonic();
    if (interruptedAtMs !== null && nowMs - interruptedAtMs >= echoMs) process.exit(code);
    interruptedAtMs ??= nowMs;
    interrupt.abort();
  });
}

const isSupervised = ERRAND_SUPERVISED !== undefined && process.connected;
if (isSupervised) {
  process.on('message', () => interrupt.abort());
  // The supervisor is gone, and with it whoever would stop or restart this process.
  process.on('disconnect', () => interrupt.abort());
}

function startSibling(settings: Readonly<Record<string, string>>): ChildService {
  const siblingEnv = { ...env, ...settings, ERRAND_SUPERVISED: '1' };
  const child = fork(argv[1] ?? '', argv.slice(2), { env: siblingEnv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  // What fails here ends the process too, which is told in `ended`.
  child.on('error', () => undefined);
  return {
    reported: new Promise((resolve) => child.once('message', (line) => resolve(line as object))),
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
    stop() {
      if (child.connected) child.send('stop');
    },
  };
}

/** A reader that went away (`errand task list | head -1`) is no failure, but a command has nobody left to work for. */
function forgiveClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
stdout.on('error', forgiveClosedPipe);
stderr.on('error', forgiveClosedPipe);

function die(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  stderr.write(`${JSON.stringify({ level: 'fatal', time: new Date().toISOString(), msg: message, stack })}\n`);
  process.exit(1);
}
process.on('uncaughtException', die);
process.on('unhandledRejection', die);

// The service's timers never keep a process alive, so a waiting command needs something that does.
const wakeful = setInterval(() => undefined, 2 ** 30);

const code = await runErrand(argv.slice(2), {
  env,
  clock: systemClock,
  stdin,
  stdout,
  stderr,
  nodeVersion: version.slice(1),
  processes: {
    reportReady: isSupervised ? (line) => void process.send?.(line) : null,
    canSharePorts: platform === 'linux',
    start: startSibling,
  },
  signal: interrupt.signal,
});

clearInterval(wakeful);
// Whatever is still open (an idle connection, standard input) is nothing to wait for; what was written has to arrive first.
stdout.write('', () => stderr.write('', () => process.exit(code)));
