import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SafeConnect } from '@errand/base/net/safe-connect.ts';
import { socketName } from './egress-forwarder.ts';
import type { Egress } from './egress.ts';
import { EgressProxy } from './egress-proxy.ts';
import { sandboxUser } from '../workspace/sandbox-user.ts';

/** A proxy that listens on a socket in its own folder, to be mounted in a sandbox. Dispose of it with the command. */
export interface EgressGate extends AsyncDisposable {
  folder: string;
}

export async function openEgressGate(connect: SafeConnect, egress: Egress): Promise<EgressGate> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-egress-'));
  const proxy = new EgressProxy(connect, egress);
  const close = async () => {
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const socket = join(folder, socketName);
    proxy.server.listen(socket);
    await once(proxy.server, 'listening');
    await chmod(socket, 0o600);
    if (sandboxUser) for (const path of [folder, socket]) await chown(path, sandboxUser.uid, sandboxUser.gid);
    return { folder, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
