import { StartFault } from '@errand/base/start-fault.ts';
import { UsageFault } from '../exit-code.ts';
import type { Shell } from '../shell.ts';
import { retryWhileBusy } from './busy-folder.ts';
import { type Connection, connectThrough } from './connection.ts';
import { controlSocketPath, isServed, openControl } from './control-socket.ts';
import { type Credential, useApiKey } from './credential.ts';
import { openInProcess } from './in-process.ts';
import { openRemote } from './remote.ts';
import { useSignIn } from './sign-in.ts';
import type { Transport } from './transport.ts';

/** Whom a connection acts for, and whether it drives tasks. */
export interface ConnectOptions {
  /** E-mail address or ID; undefined for the first account. */
  account: string | undefined;
  /** True for a command that drives the task itself if no service runs. */
  isWorking?: boolean;
}

async function openEmbedded(shell: Shell, account: string | null, isWorking: boolean): Promise<Transport> {
  const socketPath = controlSocketPath(shell.config.dataDir);
  const open = async () =>
    (await isServed(socketPath)) ? openControl(socketPath, account) : openInProcess(shell, account, isWorking);
  return retryWhileBusy(shell, open, async () => false);
}

/**
 * Opens a connection for a command that follows a task to its end. If the process that drives the task ends, which may be a command like
 * this one, this process takes over.
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
  if (shell.config.secrets.databaseUrl !== null) return openInProcess(shell, account, isWorking);
  return isWorking ? openLasting(shell, account) : openEmbedded(shell, account, false);
}

/** The key in the settings, or the sign-in that errand login stored for this URL. */
function findCredential(shell: Shell, url: string): Credential {
  const { apiKey } = shell.config.secrets;
  const credential = apiKey === null ? useSignIn(shell, url) : useApiKey(apiKey);
  if (credential) return credential;
  throw new StartFault(
    'ERRAND_API_KEY: required with ERRAND_URL, for example ERRAND_API_KEY=sk-the-key-of-your-account; or run errand login',
  );
}

/**
 * Connects to the service that the settings name: the one at ERRAND_URL, else the database at ERRAND_DATABASE_URL, else the
 * service that runs on the data folder, else the data folder itself.
 */
export async function connect(shell: Shell, { account, isWorking = false }: ConnectOptions): Promise<Connection> {
  const { serviceUrl } = shell.config;
  if (serviceUrl !== null) {
    const credential = findCredential(shell, serviceUrl);
    if (account !== undefined)
      throw new UsageFault('--account cannot be used with ERRAND_URL: the API key or sign-in determines the account');
    return connectThrough(openRemote(serviceUrl, credential, shell.clock));
  }
  return connectThrough(await openLocal(shell, account ?? null, isWorking));
}

/** Connects, does one piece of work and closes the connection. */
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
