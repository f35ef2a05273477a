import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@errand/base/log.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Config } from '../../config/config.ts';
import { printNote } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import { ConnectionLost, StreamRefused, type Transport } from './transport.ts';

/** A command prints its result; the log appears only if a level below warn is set. */
function chooseLogLevel({ logLevel }: Config): string {
  return logLevel === 'info' ? 'warn' : logLevel;
}

/** Where the time of the service stands still, only `serve` makes its folder and first account: here, time runs. */
function checkServedBefore({ dataDir }: Config): void {
  if (existsSync(join(dataDir, 'errand.db'))) return;
  throw new StartFault(
    'ERRAND_FIXED_TIME: is for tests only: start errand serve first, which fills the folder in ERRAND_DATA_DIR',
  );
}

/**
 * The service inside this process, for as long as the command runs. With `isWorking` it also drives tasks and listens on the
 * control socket, where further commands find it; its port is any free one on the loopback interface.
 */
export async function openInProcess(shell: Shell, account: string | null, isWorking: boolean): Promise<Transport> {
  // Commands that ask a running service do not need to load all of it.
  const { buildApp } = await import('../../app/build-app.ts');
  const { config, clock } = shell;
  if (config.fixedTimeMs !== null) checkServedBefore(config);
  const log = createLog(chooseLogLevel(config), shell.stderr);
  const app = await buildApp(
    { ...config, host: '127.0.0.1', port: 0, contentPort: 0, contentUrl: null, fixedTimeMs: null },
    isWorking ? 'all' : 'api',
    { log, clock },
  );
  if (app.firstApiKey !== null) printNote(shell, `first API key of this instance, shown once: ${app.firstApiKey}`);
  try {
    if (isWorking) await app.start();
  } catch (error) {
    await app.stop();
    throw error;
  }

  return {
    kind: 'own',
    send: (request) => app.http.inject({ ...request, account }),
    async *stream(request, signal) {
      const { status, body, stream } = await app.http.injectStream({ ...request, account });
      if (stream === null) throw new StreamRefused({ status, body });
      const end = () => stream.destroy();
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      try {
        yield* stream as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw new ConnectionLost('the stream was cut', { cause: error });
      } finally {
        signal.removeEventListener('abort', end);
        end();
      }
    },
    close: () => app.stop(),
  };
}
