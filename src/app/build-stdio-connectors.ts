import { join } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { StdioServers } from '../connectors/stdio-servers.ts';
import type { Config } from '../config/config.ts';
import type { SandboxAvailability } from '@errand/sandbox/sandbox.ts';

export interface StdioConnectorParts {
  config: Config;
  instanceId: string;
  clock: Clock;
  log: Log;
  /** Of this process; null for one that runs nothing else and opens it when a connector is tried there. */
  sandbox: SandboxAvailability | null;
  openSandbox(): Promise<SandboxAvailability>;
}

/** MCP servers that are commands, the sandbox they run in, and what ends both with the process. */
export function buildStdio({ config, instanceId, clock, log, sandbox, openSandbox }: StdioConnectorParts) {
  let opened: Promise<SandboxAvailability> | null = null;
  const sandboxOf = () => (sandbox ? Promise.resolve(sandbox) : (opened ??= openSandbox()));
  const servers = new StdioServers({
    sandbox: sandboxOf,
    clock,
    log,
    policy: config.sandboxEgress,
    folder: join(config.dataDir, 'connectors', instanceId),
  });
  const close = async () => {
    await servers.close();
    await (await opened)?.sandbox?.close();
  };
  return { servers, sandboxOf, close };
}
