import { afterEach, describe, expect, it } from 'vitest';
import { type DnsAnswer, DnsServer, type Question } from '../../../../test/net/dns-server.ts';
import { askSystem, createAddressLookup } from './address-lookup.ts';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const servers: DnsServer[] = [];
const { signal } = new AbortController();

async function startLookup(answer: (question: Question) => DnsAnswer, system?: typeof askSystem) {
  const server = await DnsServer.start(answer);
  servers.push(server);
  return { server, lookup: createAddressLookup({ servers: [server.address], fallback: system }) };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

describe('the look-up of a host', () => {
  it('returns all addresses of both families, alternating, IPv4 first', async () => {
    const { lookup } = await startLookup(() => ({
      addresses: ['2606:4700::1', '93.184.216.34', '93.184.216.35', '93.184.216.36'],
    }));
    expect(await lookup('a.test', signal)).toEqual(['93.184.216.34', '2606:4700::1', '93.184.216.35', '93.184.216.36']);
  });

  it('finds the addresses behind an alias', async () => {
    const { lookup } = await startLookup(() => ({ addresses: ['10.0.0.1'], alias: 'b.test' }));
    expect(await lookup('a.test', signal)).toEqual(['10.0.0.1']);
  });

  it('queries once per family each time, without a cache', async () => {
    const { lookup, server } = await startLookup(({ nth }) => ({ addresses: [`93.184.216.${nth}`] }));
    expect(await lookup('a.test', signal)).toEqual(['93.184.216.1']);
    expect(await lookup('a.test', signal)).toEqual(['93.184.216.2']);
    expect(server.questions.map(({ type }) => type).toSorted()).toEqual(['A', 'A', 'AAAA', 'AAAA']);
  });

  it('succeeds if one family fails', async () => {
    const { lookup } = await startLookup(({ type }) => (type === 'A' ? { addresses: ['93.184.216.34'] } : 'failure'));
    expect(await lookup('a.test', signal)).toEqual(['93.184.216.34']);
  });

  it('sends no query for this machine', async () => {
    const { lookup, server } = await startLookup(() => ({ addresses: ['93.184.216.34'] }));
    expect(await lookup('localhost', signal)).toEqual(['127.0.0.1', '::1']);
    expect(await lookup('a.localhost', signal)).toEqual(['127.0.0.1', '::1']);
    expect(server.questions).toEqual([]);
  });

  it('reports whether a name is unknown or its servers failed', async () => {
    const { lookup } = await startLookup(({ name }) =>
      name === 'failing.test' ? 'failure' : name === 'empty.test' ? { addresses: [] } : 'unknown',
    );
    const unknown = { kind: 'dns', message: 'the host unknown.test has no address' };
    await expect(lookup('unknown.test', signal)).rejects.toMatchObject(unknown);
    await expect(lookup('empty.test', signal)).rejects.toMatchObject({
      kind: 'dns',
      message: 'the host empty.test has no address',
    });
    await expect(lookup(`${'a'.repeat(64)}.test`, signal)).rejects.toMatchObject({
      kind: 'dns',
      message: matching(/has no address/),
    });
    await expect(lookup('failing.test', signal)).rejects.toMatchObject({
      kind: 'dns',
      message: matching(/do not answer properly/),
    });
  });

  it('asks the system for names unknown to the name servers, if configured', async () => {
    const { lookup } = await startLookup(
      () => 'unknown',
      async (name) => (name === 'nas' ? ['192.168.0.7'] : []),
    );
    expect(await lookup('nas', signal)).toEqual(['192.168.0.7']);
    await expect(lookup('a.test', signal)).rejects.toMatchObject({ kind: 'dns', message: 'the host a.test has no address' });
  });

  it('does not ask the system for names that the name servers resolve or fail to resolve', async () => {
    const asked: string[] = [];
    const system = async (name: string) => {
      asked.push(name);
      return ['192.168.0.7'];
    };
    const { lookup } = await startLookup(
      ({ name }) => (name === 'failing.test' ? 'failure' : { addresses: ['93.184.216.34'] }),
      system,
    );
    await expect(lookup('failing.test', signal)).rejects.toMatchObject({ kind: 'dns' });
    expect(await lookup('public.test', signal)).toEqual(['93.184.216.34']);
    expect(asked).toEqual([]);
  });

  it('reads the hosts file through the system, and nothing for unknown names', async () => {
    expect(await askSystem('localhost')).toContain('127.0.0.1');
    expect(await askSystem('a b')).toEqual([]);
  });

  it('ends when its signal aborts while a name server is silent', async () => {
    const asked = Promise.withResolvers<void>();
    const { lookup } = await startLookup(() => {
      asked.resolve();
      return 'silence';
    });
    const controller = new AbortController();
    const outcome = lookup('a.test', controller.signal).catch((error: unknown) => error);
    await asked.promise;
    controller.abort();
    expect(await outcome).toBeInstanceOf(Error);
  });
});
