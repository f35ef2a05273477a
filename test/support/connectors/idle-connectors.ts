import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { StdioServers } from '../../../src/connectors/stdio-servers.ts';
import type { ConnectorService } from '../../../src/api/contract/services/connector-service.ts';

const nobody = () => Promise.reject(new Error('nobody signs in'));

const listOrders = { name: 'listOrders', method: 'get', path: '/orders', summary: 'Lists orders.', problem: null } as const;

/** A service for which every server exists and has no tools, and every OpenAPI document describes one operation. */
export const idleConnectors: ConnectorService = {
  listTools: () => Promise.resolve({ tools: [] }),
  tryCommand: () => Promise.resolve({ tools: [] }),
  readApi: () =>
    Promise.resolve({
      title: 'Shop',
      baseUrl: 'https://api.example.com',
      signIn: null,
      operations: [listOrders],
      tools: [{ name: listOrders.name, description: listOrders.summary, inputSchema: { type: 'object' }, isReadOnly: true }],
    }),
  tryApi: () => Promise.resolve(null),
  sealClient: () => 'sealed',
  check: () => Promise.resolve({ tools: [] }),
  noteLater: () => undefined,
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
