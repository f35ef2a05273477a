import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenFault, type PortSetting } from '../http/server/listen-addresses.ts';

/**
 * Listens for a moment where the service is going to, so that a wrong address is refused before a store is made and its first
 * key is shown. Throws `StartFault`.
 */
export async function tryAddress(host: string, port: number, setting: PortSetting): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw listenFault(error, host, port, setting);
  } finally {
    server.close();
  }
}
