import { describe, expect, it } from 'vitest';
import { addHosts, addTaints, findHosts, freshTrust, listTaints, refuseHost } from './trust.ts';

describe('the hosts named in a text', () => {
  it.each([
    ['Read https://www.Example.com/a?b=c and http://other.org:8080.', ['example.com', 'other.org:8080']],
    ['Compare example.com with shop.example.co.uk, please.', ['example.com', 'shop.example.co.uk']],
    ['See (https://a.test/x).', ['a.test']],
    ['https://user:pass@real.test/', ['real.test']],
    ['Write report.md, run main.py, and unpack data.zip', []],
    ['Mail me@example.com about v1.2.3 and e.g. this', []],
    ['http://127.1/', ['127.0.0.1']],
    ['https://a.test:443/ and http://a.test:80/', ['a.test']],
    ['Yes, db.test:5432 (but not a.test:99999).', ['db.test:5432', 'a.test']],
    ['nothing here', []],
  ])('of %j are %j', (text, hosts) => {
    expect(findHosts(text)).toEqual(hosts);
  });

  it('are found quickly in hostile text', () => {
    const texts = ['a.'.repeat(100_000), 'http://'.repeat(50_000), `${'a-'.repeat(100_000)}.com`];
    expect(texts.map((text) => findHosts(text).length)).toEqual([0, 1, 0]);
  });
});

describe('the egress of a task', () => {
  const seen = addTaints(addHosts(freshTrust, 'Ask example.com'), ['private', 'untrusted']);

  it('is unrestricted until the task has seen both private and untrusted content', () => {
    for (const trust of [freshTrust, addTaints(freshTrust, ['private']), addTaints(freshTrust, ['untrusted'])]) {
      expect(refuseHost(trust, { host: 'evil.test', port: 443 }, false)).toBeNull();
    }
    expect(refuseHost(seen, { host: 'evil.test', port: 443 }, false)).toMatch(
      /^evil\.test was not reached\. .*Go on without it\.$/s,
    );
    expect(refuseHost(seen, { host: 'evil.test', port: 443 }, true)).toMatch(/Ask the user .*"evil\.test"/s);
  });

  it('is then limited to the hosts that the user has named, without subdomains other than www', () => {
    expect(refuseHost(seen, { host: 'example.com', port: 443 }, false)).toBeNull();
    expect(refuseHost(seen, { host: 'www.example.com', port: 443 }, false)).toBeNull();
    expect(refuseHost(seen, { host: 'evil.example.com', port: 443 }, false)).not.toBeNull();
    expect(refuseHost(seen, { host: 'example.com.evil.test', port: 443 }, false)).not.toBeNull();
    expect(refuseHost(addHosts(seen, 'yes, evil.test is fine'), { host: 'evil.test', port: 443 }, false)).toBeNull();
  });

  it('is limited to the ports of web pages on a host named without a port, and to the port named with it', () => {
    const refuse = (trust: typeof seen, host: string, port: number) => refuseHost(trust, { host, port }, true);
    expect(refuse(seen, 'example.com', 80)).toBeNull();
    expect(refuse(seen, 'example.com', 22)).toMatch(/^example\.com:22 was not reached\. .*"example\.com:22"/s);
    const both = addHosts(seen, 'Ask http://other.org:8080/x, and yes to www.db.test:5432');
    expect(refuse(both, 'other.org', 8080)).toBeNull();
    expect(refuse(both, 'db.test', 5432)).toBeNull();
    expect(refuse(both, 'other.org', 443)).not.toBeNull();
    expect(refuse(both, 'db.test', 80)).not.toBeNull();
  });

  it('never loses a taint', () => {
    expect(listTaints(addTaints(seen, []))).toEqual(['private', 'untrusted']);
    expect(addTaints(seen, [])).toBe(seen);
    expect(addHosts(seen, 'nothing')).toBe(seen);
  });
});
