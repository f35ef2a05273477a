import { StartFault } from '@errand/base/start-fault.ts';
import { type CliCredential, useApiKey } from './credential.ts';
import { retryWhileBusy } from './busy-folder.ts';
import { type Connection, connectThrough } from './connection.ts';
import { controlSocketPath, isServed, openControl } from './control-transport.ts';
import { UsageFault } from './exit-code.ts';
import { openOwn } from './own-transport.ts';
import { openRemote } from './remote-transport.ts';
import type { Shell } from './shell.ts';
import { useSignIn } from './signed-in.ts';
import type { Transport } from './transport.ts';

export interface ConnectOptions {
  /** E-mail or id; undefined for the first account. */
  account: string | undefined;
  /** True for a command that drives the task itself where no service runs. */
  isWorking?: boolean;
}

async function openEmbedded(shell: Shell, account: string | null, isWorking: boolean): Promise<Transport> {
  const socketPath = controlSocketPath(shell.config.dataDir);
  const open = async () => ((await isServed(socketPath)) ? openControl(socketPath, account) : openOwn(shell, account, isWorking));
  return retryWhileBusy(shell, open, async () => false);
}

/**
 * For a command that sees a task to its end: when the service that drives it goes away, which may itself be a command like this
 * one, this process goes on with it.
 */
async function openLasting(shell: Shell, account: string | null): Promise<Transport> {
  let current = await openEmbedded(shell, account, true);
  const findCurrent = async () => {
    const isGone = current.kind === 'control' && !(await isServed(controlSocketPath(shell.config.dataDir)));
    if (isGone) current = await openEmbedded(shell, account, true);
    return current;
  };
  return {
    kind: current.kind,
    send: async (request) => (await findCurrent()).send(request),
    async *stream(request, signal) {
      yield* (await findCurrent()).stream(request, signal);
    },
    close: () => current.close(),
  };
}

async function openLocal(shell: Shell, account: string | null, isWorking: boolean): Promise<Transport> {
  if (shell.config.secrets.databaseUrl !== null) return openOwn(shell, account, isWorking);
  return isWorking ? openLasting(shell, account) : openEmbedded(shell, account, false);
}

/** The key of the settings, or what errand login left for this address. */
function findCredential(shell: Shell, url: string): CliCredential {
  const { apiKey } = shell.config.secrets;
  const credential = apiKey === null ? useSignIn(shell, url) : useApiKey(apiKey);
  if (credential) return credential;
  throw new StartFault(
    'ERRAND_API_KEY: is needed by ERRAND_URL, for example ERRAND_API_KEY=sk-the-key-of-your-account; or run errand login',
  );
}

/**
 * The way to the service that the settings ask for: ERRAND_URL; or the database of ERRAND_DATABASE_URL; or the service that runs
 * on the data folder; or, where none does, the data folder itself.
 */
export async function connect(shell: Shell, { account, isWorking = false }: ConnectOptions): Promise<Connection> {
  const { serviceUrl } = shell.config;
  if (serviceUrl !== null) {
    const credential = findCredential(shell, serviceUrl);
    if (account !== undefined)
      throw new UsageFault('--account cannot be used with ERRAND_URL, where the credential names the account');
    return connectThrough(openRemote(serviceUrl, credential, shell.clock));
  }
  return connectThrough(await openLocal(shell, account ?? null, isWorking));
}

/** Connects for one piece of work and leaves nothing open behind it. */
export async function withConnection<Result>(
  shell: Shell,
  options: ConnectOptions,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(shell, options);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}
