import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { StdioServers } from '../../../src/connectors/stdio-servers.ts';
import type { ConnectorService } from '../../../src/api/contract/services/connector-service.ts';

const nobody = () => Promise.reject(new Error('nobody signs in'));

/** A service for which every server exists and has no tools. */
export const idleConnectors: ConnectorService = {
  listTools: () => Promise.resolve({ tools: [] }),
  tryCommand: () => Promise.resolve({ tools: [] }),
  readApi: () => Promise.resolve({ title: '', baseUrl: null, signIn: null, operations: [], tools: [] }),
  tryApi: () => Promise.resolve(null),
  sealClient: () => 'sealed',
  check: () => Promise.resolve({ tools: [] }),
  seal: () => null,
  beginSignIn: nobody,
  finishSignIn: nobody,
};

/** Connectors on a machine that cannot run commands. */
export const noCommandServers = new StdioServers({
  sandbox: () => Promise.resolve({ sandbox: null, reason: 'there is none in this test' }),
  clock: systemClock,
  log: silentLog,
  policy: { kind: 'none' },
  folder: '/nowhere',
});
