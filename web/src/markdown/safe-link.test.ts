import { describe, expect, it } from 'vitest';
import { decodeEntities } from './entities.ts';
import { findOtherHost, readSafeLink } from './safe-link.ts';

describe('a link of untrusted text', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:http://localhost/1',
    '/settings',
    '//elsewhere.example',
    'https://name:secret@elsewhere.example',
    '',
  ])('has no target if it is %j', (href) => {
    expect(readSafeLink(href)).toBeNull();
  });

  it.each([
    ['https://a.example/b?c#d', 'https://a.example/b?c#d'],
    ['http://a.example', 'http://a.example/'],
    ['mailto:ann@a.example', 'mailto:ann@a.example'],
  ])('opens a web or mail address: %s', (href, address) => {
    expect(readSafeLink(href)).toBe(address);
  });
});

describe('a link whose text names a host', () => {
  it.each([
    ['https://bank.example/login', 'https://evil.example/', 'evil.example'],
    ['bank.example', 'https://bank.example.evil.example/', 'bank.example.evil.example'],
    ['BANK.example', 'https://www.bank.example/x', null],
    ['our bank', 'https://evil.example/', null],
    ['report.pdf', 'https://files.example/report.pdf', 'files.example'],
    ['ann@bank.example', 'mailto:ann@bank.example', null],
  ])('%s with the target %s shows %s', (words, href, host) => {
    expect(findOtherHost(words, href)).toBe(host);
  });
});

describe('entities', () => {
  it('are decoded once', () => {
    expect(decodeEntities('a &lt; b &amp;amp; c&nbsp;d &#39;e&#x27; &unknown; &#0; &')).toBe(
      "a < b &amp; c\u00a0d 'e' &unknown; &#0; &",
    );
  });
});
