import { type Clock, pause } from '@errand/base/clock.ts';
import { countIds } from '@errand/base/ids.ts';
import { createLog, type Log } from '@errand/base/log.ts';
import { type ClockJump, createSteadyClock } from '@errand/base/steady-clock.ts';
import { returnMemoryWhenIdle } from '@errand/base/threads/idle-garbage-collection.ts';
import type { App, Role } from '../../app/build-app.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { printJson, printText } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import { retryWhileAway } from '../transport/away-database.ts';
import { retryWhileBusy } from '../transport/busy-folder.ts';
import { controlSocketPath, isServed } from '../transport/control-socket.ts';
import { defineCommand } from './command.ts';

/** How long a shutdown may take beyond ERRAND_DRAIN_SECONDS; the next start resumes what has not finished. */
const closingMs = 6000;

function reportJump(log: Log, { byMs, isAccepted }: ClockJump): void {
  const problem = isAccepted ? 'the system clock stays where it jumped to, so it is used' : 'the system clock jumped; ignored';
  log.warn({ jump_s: Math.round(byMs / 1000) }, problem);
}

/** The clock of the service; in the test mode, one that stands still, with ids to match. */
async function readClock({ config: { fixedTimeMs }, clock }: Shell, log: Log): Promise<Clock> {
  if (fixedTimeMs === null) return createSteadyClock(clock, (jump) => reportJump(log, jump));
  const { createStillClock } = await import('@errand/base/fixed-clock.ts');
  countIds();
  log.warn(
    'ERRAND_FIXED_TIME: this service is for tests only: time stands still, sessions and tokens do not expire, ids can be guessed',
  );
  return createStillClock(clock, fixedTimeMs);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Prints the key before anything can fail, because it is created only once. In a terminal it appears in the banner. */
async function startShowingKey(shell: Shell, app: App, isInTerminal: boolean): Promise<void> {
  const showKey = () => {
    if (app.firstApiKey !== null) printJson(shell, { msg: 'first API key, shown once', api_key: app.firstApiKey });
  };
  if (!isInTerminal) showKey();
  try {
    await app.start();
  } catch (error) {
    if (isInTerminal) showKey();
    await app.stop();
    throw error;
  }
}

/** Prints the line that reports readiness, at any log level; one of several processes tells its supervisor. */
function announce(shell: Shell, app: App, role: Role): void {
  const { dataDir } = shell.config;
  const model = app.models['service-1.6'].name;
  const monitoring = app.monitoring ? { monitoring_url: app.monitoring.url() } : {};
  const urls = role === 'worker' ? monitoring : { url: app.http.url(), content_url: app.http.contentUrl(), ...monitoring };
  const profiles = Object.fromEntries(Object.entries(app.models).map(([profile, { name }]) => [profile, name]));
  const unpriced = Object.entries(app.models).flatMap(([profile, { price }]) => (price === null ? [profile] : []));
  const report = shell.processes?.reportReady ?? ((line: object) => printJson(shell, line));
  report({
    level: 'info',
    time: new Date(shell.clock.now()).toISOString(),
    msg: 'ready',
    ...urls,
    role,
    model,
    models: profiles,
    ...(unpriced.length > 0 && { unpriced }),
    data_dir: dataDir,
  });
}

async function greet(shell: Shell, app: App): Promise<void> {
  const { renderBanner } = await import('../output/banner.ts');
  const { dataDir } = shell.config;
  printText(
    shell,
    renderBanner({ url: app.http.url(), model: app.models['service-1.6'].name, dataDir, firstApiKey: app.firstApiKey }),
  );
}

async function drain(shell: Shell, app: App, log: Log): Promise<void> {
  log.info('stopping: finishing requests and steps in progress; a second signal stops immediately');
  const timeout = new AbortController();
  const isDone = await Promise.race([
    app.stop().then(() => true),
    pause(shell.clock, shell.config.drainMs + closingMs, timeout.signal).then(() => false),
  ]);
  timeout.abort();
  if (isDone) log.info('stopped');
  else log.warn('stopped before everything was finished; the next start resumes it');
}

async function tryAddresses({ config }: Shell, role: Role, isFolderServed: () => Promise<boolean>): Promise<void> {
  const { tryAddress } = await import('../../doctor/address-check.ts');
  // On a folder that is already served, the error is about the folder and not about its port.
  if (role !== 'worker' && !(await isFolderServed())) {
    await tryAddress(config.host, config.port, 'ERRAND_PORT');
    await tryAddress(config.host, config.contentPort, 'ERRAND_CONTENT_PORT');
  }
  if (role === 'worker' && config.monitoringPort !== null) {
    await tryAddress(config.host, config.monitoringPort, 'ERRAND_MONITORING_PORT');
  }
}

/** Whether a supervisor has started this process. */
function isOneOfSeveral({ processes }: Shell): boolean {
  return (processes?.reportReady ?? null) !== null;
}

/** Runs the service in as many processes as the option says. */
async function serveTogether(shell: Shell, role: Role, text: string): Promise<ExitCode> {
  const { readProcessCount, superviseProcesses } = await import('../processes/supervise.ts');
  const { count, processes } = readProcessCount(shell, text);
  await tryAddresses(shell, role, () => Promise.resolve(false));
  return superviseProcesses(shell, processes, count);
}

async function serveUntilAborted(shell: Shell, role: Role, isInTerminal: boolean): Promise<ExitCode> {
  const { buildApp } = await import('../../app/build-app.ts');
  const { config } = shell;
  const log = createLog(config.logLevel, shell.stdout);
  const clock = await readClock(shell, log);
  for (const warning of config.warnings) log.warn(warning);
  if (role !== 'all' && config.secrets.databaseUrl === null) {
    log.warn(`role ${role} with the embedded database: no other process can join; set ERRAND_DATABASE_URL`);
  }
  const isFolderServed = () => isServed(controlSocketPath(config.dataDir));
  // Ports of several processes are theirs together: the supervisor has tried them.
  const isSupervised = isOneOfSeveral(shell);
  if (!isSupervised) await tryAddresses(shell, role, isFolderServed);
  const build = () =>
    buildApp({ ...config, sharesPorts: isSupervised }, role, {
      log,
      clock,
      ...(config.fixedTimeMs !== null && { chance: () => 0.5 }),
    });
  const { signal } = shell;
  const app = await retryWhileBusy(shell, () => retryWhileAway({ clock, log, signal }, build), isFolderServed);
  await startShowingKey(shell, app, isInTerminal);
  announce(shell, app, role);
  if (isInTerminal) await greet(shell, app);
  returnMemoryWhenIdle(clock);
  await untilAborted(shell.signal);
  await drain(shell, app, log);
  return exitCode.done;
}

/** `errand serve` */
export const serve = defineCommand({
  name: 'serve',
  summary: 'Run the service (the default command).',
  args: {},
  options: {
    role: {
      type: 'string',
      choices: ['all', 'api', 'worker'],
      about: 'Role of this process (default: all). api and worker need PostgreSQL.',
    },
    processes: {
      type: 'string',
      value: 'N',
      about: 'Run N processes on one port and restart those that end (default: 1). More than one needs PostgreSQL and Linux.',
    },
  },
  details: `When the service is ready, its log on standard output has a JSON line with "msg":"ready" and its URL.
The first start creates an account and prints its API key once. SIGTERM or Ctrl-C stops the service within 15 s (7 s more
than ERRAND_DRAIN_SECONDS); a second one stops it immediately.`,
  hasSettings: true,
  examples: [
    ['serve', 'API and worker on http://127.0.0.1:7070, data in ./.errand'],
    ['serve --processes 4', 'four processes on one port, with the database at ERRAND_DATABASE_URL'],
    ['serve --role worker', 'another worker on the database at ERRAND_DATABASE_URL'],
  ],
  run(shell, { options }) {
    const role = options.role ?? 'all';
    const { processes } = options;
    if (processes !== undefined && processes !== '1' && !isOneOfSeveral(shell)) return serveTogether(shell, role, processes);
    return serveUntilAborted(
      shell,
      role,
      shell.stdout.isTTY === true && role !== 'worker' && !isOneOfSeveral(shell) && !options.json,
    );
  },
});
