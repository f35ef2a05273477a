import { describe, expect, it } from 'vitest';
import { isLocalHost, readAim } from './browser-place.ts';

describe('where the browser is to go', () => {
  it('is the web, a port of the sandbox, or a page of the workspace', () => {
    expect(readAim('https://example.com/a?b')).toEqual({ url: 'https://example.com/a?b', kind: 'web' });
    expect(readAim('http://localhost:3000/x')).toEqual({ url: 'http://localhost:3000/x', kind: 'port' });
    expect(readAim('localhost:3000')).toEqual({ url: 'http://localhost:3000', kind: 'port' });
    const page = { url: 'http://workspace.localhost/site/a%20b.html?x=1#y', kind: 'workspace' };
    for (const text of ['site/a b.html?x=1#y', '/workspace/site/a b.html?x=1#y', 'file:///workspace/site/a b.html?x=1#y']) {
      expect(readAim(text), text).toEqual(page);
    }
    expect(readAim('site/')?.url).toBe('http://workspace.localhost/site/');
    expect(readAim('http://workspace.localhost:9/site/')).toEqual({ url: 'http://workspace.localhost/site/', kind: 'workspace' });
  });

  it('is no other scheme and no file outside', () => {
    for (const text of [
      'file:///etc/passwd',
      'file://x/y',
      'chrome://version',
      'view-source:http://a.b/',
      'javascript:1',
      '../a',
      '/etc/passwd',
      'data:,x',
    ]) {
      expect(readAim(text), text).toBeNull();
    }
  });

  it('is local by every name of the loopback', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])
      expect(isLocalHost(host), host).toBe(true);
    for (const host of ['localhost.test', '10.0.0.1', '127.0.0.1.test', '0.0.0.0', '::ffff:127.0.0.1'])
      expect(isLocalHost(host), host).toBe(false);
  });
});
