import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { closedHosts, closedUrls, openHosts } from '../../../../test/net/url-forms.ts';
import { createAddressRules } from './address-rules.ts';
import { hostOf, portOf, readRedirect, readTarget } from './safe-fetch-target.ts';

const rules = createAddressRules([], () => []);

describe('the target of a request', () => {
  it('is the normalized address, however the URL spells it, so that the rules check what is used', () => {
    const { 'names of this machine': _names, ...literals } = closedHosts;
    for (const host of Object.values(literals).flat()) {
      const address = hostOf(readTarget(`https://${host}/`, false));
      expect([host, isIP(address) > 0, rules.refuse(address)]).toEqual([host, true, expect.any(String)]);
    }
    for (const [host, address] of Object.entries(openHosts)) {
      const found = hostOf(readTarget(`https://${host}/`, false));
      if (isIP(found) > 0) expect([found, rules.refuse(found)]).toEqual([address, null]);
    }
  });

  it.each(Object.entries(closedUrls))('is rejected with %s', (_reason, urls) => {
    for (const url of urls) expect(() => readTarget(url, true), url).toThrow(expect.objectContaining({ kind: 'blocked' }));
  });

  it('is http only if allowed', () => {
    expect(() => readTarget('http://public.test/', false)).toThrow('must begin with https://, not with http://');
    expect(readTarget('http://public.test/', true).href).toBe('http://public.test/');
  });

  it('is rejected with what to change', () => {
    expect(() => readTarget('ftp://public.test/', true)).toThrow('must begin with https://');
    expect(() => readTarget('public.test', true)).toThrow('must be a complete web address');
    expect(() => readTarget('https://a@public.test', true)).toThrow('must not contain a user name or password');
    expect(() => readTarget('https://public.test:25', true)).toThrow('must not use port 25');
    expect(() => readTarget(`https://public.test/${'a'.repeat(8_192)}`, true)).toThrow('must have at most 8192 characters');
    expect(() => readRedirect('ftp://x/', true, new URL('https://public.test/'))).toThrow(
      'the host public.test redirects to an address that must begin with https://',
    );
  });

  it('has the default port of its scheme, or any other that no other protocol uses', () => {
    for (const [url, port] of [
      ['https://a.test', 443],
      ['http://a.test', 80],
      ['https://a.test:8443', 8443],
      ['http://a.test:443', 443],
    ] as const) {
      expect(portOf(readTarget(url, true))).toBe(port);
    }
  });

  it('has a host without brackets and trailing dot', () => {
    const hosts = ['https://[2606:4700::1]/', 'https://a.test./', 'https://A.Test/', 'https://bücher.test/'];
    expect(hosts.map((url) => hostOf(new URL(url)))).toEqual(['2606:4700::1', 'a.test', 'a.test', 'xn--bcher-kva.test']);
  });
});
