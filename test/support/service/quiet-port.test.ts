import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findQuietPort } from './quiet-port.ts';

it('passes over a port that somebody else has taken', async () => {
  const port = await findQuietPort();
  await using server = createServer().listen(port + 1, '127.0.0.1');
  await once(server, 'listening');
  expect(await findQuietPort()).not.toBe(port + 1);
});
