import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { StartFault } from '@errand/base/start-fault.ts';
import { tryAddress } from './address-check.ts';

it('binds a free port and releases it', async () => {
  await tryAddress('127.0.0.1', 0, 'ERRAND_PORT');
  await expect(tryAddress('127.0.0.1', 0, 'ERRAND_PORT')).resolves.toBeUndefined();
});

it('rejects a port in use and a foreign address, and names the setting to change', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const refused = tryAddress('127.0.0.1', port, 'ERRAND_CONTENT_PORT');
  await expect(refused).rejects.toThrow(StartFault);
  await expect(refused).rejects.toThrow(/^ERRAND_CONTENT_PORT: /);
  await expect(tryAddress('203.0.113.7', 0, 'ERRAND_CONTENT_PORT')).rejects.toThrow(/^ERRAND_HOST: /);
  server.close();
});
