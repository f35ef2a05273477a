import { expect, it } from 'vitest';
import { DnsServer } from '../../../../test/net/dns-server.ts';
import { createRecordLookup } from './record-lookup.ts';

it('a look-up of records returns them, names what is missing, and ends when it is given up', async () => {
  const asked = Promise.withResolvers<void>();
  const server = await DnsServer.start(({ name }) => {
    if (name === 'silent.test') asked.resolve();
    return name === 'silent.test' ? 'silence' : name === 'a.test' ? { addresses: ['192.0.2.7'] } : 'unknown';
  });
  try {
    const lookup = createRecordLookup([server.address]);
    const giveUp = new AbortController();
    expect(await lookup('a.test', 'A', giveUp.signal)).toEqual(['192.0.2.7']);
    await expect(lookup('other.test', 'A', giveUp.signal)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    const silent = expect(lookup('silent.test', 'A', giveUp.signal)).rejects.toMatchObject({ code: 'ECANCELLED' });
    await asked.promise;
    giveUp.abort(new Error('given up'));
    await silent;
    await expect(lookup('a.test', 'A', giveUp.signal)).rejects.toThrow('given up');
  } finally {
    await server.stop();
  }
});
