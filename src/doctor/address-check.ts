import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenFault, type PortSetting } from '../http/server/listen-addresses.ts';
import type { Check, DoctorContext } from './check.ts';

/** Briefly listens where the service is going to listen. Throws `StartFault` with the setting to change. */
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

async function checkAddress(name: string, host: string, port: number, setting: PortSetting): Promise<Check> {
  try {
    await tryAddress(host, port, setting);
    return { name, state: 'ok', found: `${host}:${port} is free` };
  } catch (error) {
    return { name, state: 'failed', found: (error as Error).message };
  }
}

/** Whether the service is running or could listen on its two ports: the API and the content origin. */
export async function checkAddresses({ config: { host, port, contentPort }, isServed }: DoctorContext): Promise<Check[]> {
  const [name, contentName] = ['address', 'content origin'];
  if (await isServed()) {
    const found = 'a service is running on this data folder';
    return [name, contentName].map((each) => ({ name: each, state: 'ok', found }));
  }
  return Promise.all([
    checkAddress(name, host, port, 'ERRAND_PORT'),
    checkAddress(contentName, host, contentPort, 'ERRAND_CONTENT_PORT'),
  ]);
}
