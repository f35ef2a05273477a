import { describe, expect, it } from 'vitest';
import { addHosts, addTaints, findHosts, freshTrust, listTaints, refuseHost } from './trust.ts';

describe('the hosts named in a text', () => {
  it.each([
    ['Read https://www.Example.com/a?b=c and http://other.org:8080.', ['example.com', 'other.org']],
    ['Compare example.com with shop.example.co.uk, please.', ['example.com', 'shop.example.co.uk']],
    ['See (https://a.test/x).', ['a.test']],
    ['https://user:pass@real.test/', ['real.test']],
    ['Write report.md, run main.py, and unpack data.zip', []],
    ['Mail me@example.com about v1.2.3 and e.g. this', []],
    ['http://127.1/', ['127.0.0.1']],
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
      expect(refuseHost(trust, 'evil.test', false)).toBeNull();
    }
    expect(refuseHost(seen, 'evil.test', false)).toMatch(/^evil\.test was not reached\. .*Go on without it\.$/s);
    expect(refuseHost(seen, 'evil.test', true)).toMatch(/Ask the user .*"evil\.test"/s);
  });

  it('is then limited to the hosts that the user has named, without subdomains other than www', () => {
    expect(refuseHost(seen, 'example.com', false)).toBeNull();
    expect(refuseHost(seen, 'www.example.com', false)).toBeNull();
    expect(refuseHost(seen, 'evil.example.com', false)).not.toBeNull();
    expect(refuseHost(seen, 'example.com.evil.test', false)).not.toBeNull();
    expect(refuseHost(addHosts(seen, 'yes, evil.test is fine'), 'evil.test', false)).toBeNull();
  });

  it('never loses a taint', () => {
    expect(listTaints(addTaints(seen, []))).toEqual(['private', 'untrusted']);
    expect(addTaints(seen, [])).toBe(seen);
    expect(addHosts(seen, 'nothing')).toBe(seen);
  });
});
