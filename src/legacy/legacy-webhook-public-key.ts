import { z } from 'zod';
import { defineLegacy } from './legacy-operation.ts';

export const webhookPublicKey = defineLegacy('GET', '/v1/webhook/public_key', {
  summary: 'Returns the public key for verifying webhook requests; needs no credential.',
  access: 'visitor',
  request: z.object({}),
  response: z.object({ public_key: z.string(), algorithm: z.literal('RSA-SHA256'), created_at: z.iso.datetime() }),
  async handle(_, { webhooks }) {
    const [newest] = await webhooks.publicKeys();
    if (!newest) throw new Error('there is no signing key');
    const { rsaPem, createdAtMs } = newest;
    return { public_key: rsaPem, algorithm: 'RSA-SHA256' as const, created_at: new Date(createdAtMs).toISOString() };
  },
});
