import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { Child } from '../../test/support/process/child.ts';
import { pause } from '../process/pause.ts';

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('the probe has no port');
  return address.port;
}

async function waitForHealth(url: string): Promise<void> {
  for (;;) {
    const isHealthy = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    await pause(100);
  }
}

/** The server that Restate's npm package carries, with what its peer script has to know; it stores durably in a folder of its own. */
export async function startRestate(peers: string, home: string): Promise<{ child: Child; env: Record<string, string> }> {
  const [ingress, admin, node, service] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const platform = `restate-server-${process.platform}-${process.arch}`;
  const program = path.join(peers, 'node_modules/@restatedev', platform, 'bin/restate-server');
  const child = await Child.start(program, [], {
    cwd: home,
    env: {
      HOME: home,
      RESTATE_BASE_DIR: path.join(home, 'restate'),
      RESTATE_NODE_NAME: 'bench',
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LOG_FILTER: 'error',
    },
  });
  await waitForHealth(`http://127.0.0.1:${admin}/health`);
  const env = {
    RESTATE_INGRESS: `http://127.0.0.1:${ingress}`,
    RESTATE_ADMIN: `http://127.0.0.1:${admin}`,
    SERVICE_PORT: String(service),
  };
  return { child, env };
}
