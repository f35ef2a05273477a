import { describe, expect, it } from 'vitest';
import { addAnswer, findRedirectProblem, isRegistered } from './redirect-uri.ts';

const fine = [
  'https://app.example/callback',
  'https://app.example',
  'https://app.example:8443/cb?tenant=1',
  'https://app.example/a%20b',
  'https://[2001:db8::1]/cb',
  'http://localhost/cb',
  'http://127.0.0.1:49152/cb',
  'http://192.168.1.20:3000/cb',
  'com.example.app:/oauth',
  'com.example.app://oauth/done',
  'myapp:done',
  'vscode://publisher.extension/auth',
];

const refused: [uri: string, problem: RegExp][] = [
  ['', /ASCII/],
  ['/callback', /absolute/],
  ['app.example/callback', /absolute/],
  ['//app.example/callback', /absolute/],
  ['https:', /host/],
  ['https:/app.example', /host/],
  ['https://', /host/],
  ['https:///cb', /host/],
  ['https://?x=1', /host/],
  ['http://:80/', /host/],
  ['https://app.example:99999/', /host/],
  ['https://*.example/cb', /\*/],
  ['https://app.example/*', /\*/],
  ['https://app.example/cb#', /fragment/],
  ['https://app.example/cb#x', /fragment/],
  ['https://me@app.example/cb', /user name/],
  ['https://app.example@evil.example/cb', /user name/],
  ['https://app.example\\@evil.example/cb', /percent-encoded/],
  ['https://app.example/a b', /ASCII/],
  ['https://app.example/\r\nX: y', /ASCII/],
  ['https://app.example/ü', /ASCII/],
  ['\thttps://app.example/', /ASCII/],
  ['https://app.example/<x>', /percent-encoded/],
  ['javascript:alert(1)', /scheme javascript:/],
  ['JavaScript:alert(1)', /scheme javascript:/],
  ['data:text/html,x', /scheme data:/],
  ['file:///etc/passwd', /scheme file:/],
  ['about:blank', /scheme about:/],
  ['VBSCRIPT:x', /scheme vbscript:/],
  ['blob:https://app.example/1', /scheme blob:/],
  ['myapp:', /empty after/],
  [`https://app.example/${'x'.repeat(2000)}`, /2000/],
];

describe('a redirect URI', () => {
  it.each(fine)('can be %s', (uri) => {
    expect(findRedirectProblem(uri)).toBeNull();
  });

  it.each(refused)('cannot be %s', (uri, problem) => {
    expect(findRedirectProblem(uri)).toMatch(problem);
  });
});

const registered = ['https://app.example/callback', 'http://127.0.0.1:4000/cb', 'https://app.example/q?a=1&b=2', 'myapp:done'];

const others = [
  'https://app.example/callback/',
  'https://app.example/Callback',
  'https://APP.example/callback',
  'HTTPS://app.example/callback',
  'https://app.example:443/callback',
  'https://app.example/callback?',
  'https://app.example/callback?x=1',
  'https://app.example/callback#',
  'https://app.example/callback#x',
  'https://app.example//callback',
  'https://app.example/./callback',
  'https://app.example/x/../callback',
  'https://app.example/%63allback',
  'https://app.example/callback%20',
  'https://app.example/callback ',
  ' https://app.example/callback',
  'https://app.example./callback',
  'https://user@app.example/callback',
  'https://app.example@evil.example/callback',
  'https://evil.example/https://app.example/callback',
  'https://app.example.evil.example/callback',
  'https://evil.example?https://app.example/callback',
  'http://app.example/callback',
  'http://127.0.0.1:4000/other',
  'http://127.0.0.1:4000/cb/',
  'http://127.0.0.1:123456/cb',
  'http://127.0.0.1:99999/cb',
  'http://127.0.0.1:/cb',
  'http://127.0.0.1:80:80/cb',
  'http://127.0.0.1:4000@evil.example/cb',
  'http://127.0.0.1.evil.example:4000/cb',
  'http://127.0.0.1:4000.evil.example/cb',
  'http://127.0.0.1\\@evil.example/cb',
  'http://127.0.0.2:4000/cb',
  'https://127.0.0.1:4000/cb',
  'HTTP://127.0.0.1:4000/cb',
  'http://localhost:4000/cb',
  'http://[::1]:4000/cb',
  'http://127.0.0.1:4000/cb?x',
  'https://app.example/q',
  'https://app.example/q?b=2&a=1',
  'https://app.example/q?a=1',
  'myapp:done/',
  'MYAPP:done',
  'myapp://done',
  'myapp:',
  'https://app.example/callback\n',
  '',
];

describe('the redirect URI of a request', () => {
  it('is accepted if it matches a registered one exactly', () => {
    for (const uri of registered) expect(isRegistered(uri, registered)).toBe(true);
  });

  it.each(others)('is rejected as %s', (uri) => {
    expect(isRegistered(uri, registered)).toBe(false);
  });

  it.each(['http://127.0.0.1:4001/cb', 'http://127.0.0.1/cb', 'http://127.0.0.1:65535/cb', 'http://127.0.0.1:4000/cb'])(
    'may have another port on the loopback interface: %s',
    (uri) => {
      expect(isRegistered(uri, registered)).toBe(true);
    },
  );

  it.each(['http://localhost', 'http://[::1]:80', 'http://127.0.0.1/?a=1'])('has any port where %s is registered', (known) => {
    const at = (port: string) => known.replace(/(localhost|\]|127\.0\.0\.1)(:80)?/, `$1${port}`);
    expect(['', ':1', ':50000'].map((port) => isRegistered(at(port), [known]))).toEqual([true, true, true]);
    expect(isRegistered(`${at(':1')}x`, [known])).toBe(false);
  });

  it('receives the response appended to it unchanged', () => {
    const answer = { code: 'a b', state: 'x&y', none: undefined };
    expect(addAnswer('https://app.example', answer)).toBe('https://app.example?code=a+b&state=x%26y');
    expect(addAnswer('https://app.example/q?a=1', answer)).toBe('https://app.example/q?a=1&code=a+b&state=x%26y');
    expect(addAnswer('https://app.example/q?', answer)).toBe('https://app.example/q?code=a+b&state=x%26y');
    expect(addAnswer('myapp:done', answer)).toBe('myapp:done?code=a+b&state=x%26y');
  });
});
