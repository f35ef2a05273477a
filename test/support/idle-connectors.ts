import type { ConnectorDesk } from '../../src/api/connector-desk.ts';

const nobody = () => Promise.reject(new Error('nobody signs in'));

/** A desk at which every server is there and has no tools. */
export const idleConnectors: ConnectorDesk = {
  listTools: () => Promise.resolve({ tools: [] }),
  check: () => Promise.resolve({ tools: [] }),
  seal: () => null,
  beginSignIn: nobody,
  finishSignIn: nobody,
};
