import { pause } from '@errand/base/clock.ts';
import { createLog, type Log } from '@errand/base/log.ts';
import { returnMemoryWhenIdle } from '@errand/base/threads/idle-garbage-collection.ts';
import type { App, Role } from '../app/build-app.ts';
import { renderBanner } from './banner.ts';
import { retryWhileBusy } from './busy-folder.ts';
import { defineCommand } from './command.ts';
import { controlSocketPath, isServed } from './control-transport.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';
import { describeSettings } from './settings-help.ts';
import type { Shell } from './shell.ts';

/** The whole of a stop; what is not done then is taken up by the next start. */
const drainMs = 14_000;

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The key leaves before anything can fail, because it is made only once; in a terminal it stands in the banner. */
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

/** The one line that says that it works, whatever the log level. */
function announce(shell: Shell, app: App, role: Role): void {
  const { dataDir } = shell.config;
  const model = app.models['service-1.6'].name;
  const addresses = role === 'worker' ? {} : { url: app.http.url(), content_url: app.http.contentUrl() };
  const profiles = Object.fromEntries(Object.entries(app.models).map(([profile, { name }]) => [profile, name]));
  const unpriced = Object.entries(app.models).flatMap(([profile, { price }]) => (price === null ? [profile] : []));
  printJson(shell, {
    level: 'info',
    time: new Date(shell.clock.now()).toISOString(),
    msg: 'ready',
    ...addresses,
    role,
    model,
    models: profiles,
    ...(unpriced.length > 0 && { unpriced }),
    data_dir: dataDir,
  });
}

function greet(shell: Shell, app: App): void {
  const { dataDir } = shell.config;
  printText(
    shell,
    renderBanner({ url: app.http.url(), model: app.models['service-1.6'].name, dataDir, firstApiKey: app.firstApiKey }),
  );
}

async function drain(shell: Shell, app: App, log: Log): Promise<void> {
  log.info('stopping: requests and steps under way come to their end; another signal ends at once');
  const patience = new AbortController();
  const isDone = await Promise.race([
    app.stop().then(() => true),
    pause(shell.clock, drainMs, patience.signal).then(() => false),
  ]);
  patience.abort();
  if (isDone) log.info('stopped');
  else log.warn('stopped before everything had come to its end; the next start goes on with it');
}

async function serveUntilAborted(shell: Shell, role: Role, isInTerminal: boolean): Promise<ExitCode> {
  const { buildApp } = await import('../app/build-app.ts');
  const { tryAddress } = await import('../doctor/address-check.ts');
  const { config, clock } = shell;
  const log = createLog(config.logLevel, shell.stdout);
  for (const warning of config.warnings) log.warn(warning);
  if (role !== 'all' && config.secrets.databaseUrl === null) {
    log.warn(`role ${role} on the embedded database: no other process can join it; set ERRAND_DATABASE_URL`);
  }
  const isFolderServed = () => isServed(controlSocketPath(config.dataDir));
  // A folder that is served already is refused for that, whatever its port.
  if (role !== 'worker' && !(await isFolderServed())) {
    await tryAddress(config.host, config.port, 'ERRAND_PORT');
    await tryAddress(config.host, config.contentPort, 'ERRAND_CONTENT_PORT');
  }
  const app = await retryWhileBusy(shell, () => buildApp(config, role, { log, clock }), isFolderServed);
  await startShowingKey(shell, app, isInTerminal);
  announce(shell, app, role);
  if (isInTerminal) greet(shell, app);
  returnMemoryWhenIdle(clock);
  await untilAborted(shell.signal);
  await drain(shell, app, log);
  return exitCode.done;
}

export const serve = defineCommand({
  name: 'serve',
  summary: 'Run the service (also without any command).',
  args: {},
  options: {
    role: {
      type: 'string',
      choices: ['all', 'api', 'worker'],
      about: 'What this process does (default: all). The others need PostgreSQL.',
    },
  },
  details: `When it is ready it prints one JSON line with "msg":"ready" and its address, among the lines of its log.
The first start makes an account and prints its API key, once. SIGTERM or Ctrl-C stops it within 15 s, a second one at once.

Settings (environment variables):
${describeSettings()}`,
  examples: [
    ['serve', 'API and worker on http://127.0.0.1:7070, data in ./.errand'],
    ['serve --role worker', 'one more worker on the database of ERRAND_DATABASE_URL'],
  ],
  run(shell, { options }) {
    const role = options.role ?? 'all';
    return serveUntilAborted(shell, role, shell.stdout.isTTY === true && role !== 'worker' && !options.json);
  },
});
