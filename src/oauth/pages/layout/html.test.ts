import { expect, it } from 'vitest';
import { formTargetOf } from '../consent/consent-page.ts';
import { createCookieJar } from '../../request/cookies.ts';
import { html } from './html.ts';
import { readNext } from '../session/next-page.ts';

it('values in a page are escaped as text, and missing values are omitted', () => {
  const evil = `<script>"&'</script>`;
  expect(html`<p title="${evil}">${[evil, 1, null, false, undefined, html`<b>${'<'}</b>`]}</p>`.text).toBe(
    '<p title="&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;">&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;1<b>&lt;</b></p>',
  );
});

it('the target of a form is the origin of an application or its scheme; for IPv6 addresses, only the scheme', () => {
  expect(formTargetOf('https://App.example:8443/cb?x')).toBe('https://app.example:8443');
  expect(formTargetOf('myapp:done')).toBe('myapp:');
  expect(formTargetOf('http://[::1]:3000/cb')).toBe('http:');
});

it('a sign-in redirects only to paths of this service', () => {
  expect(readNext('/oauth/authorize?a=%2Fb&c=[d]')).toBe('/oauth/authorize?a=%2Fb&c=[d]');
  for (const next of [undefined, '', 'x', '//x', '/\\x', '/\t/x', '/a b', '/a\\b', 'https://x', '/\u00fc'])
    expect(readNext(next)).toBe('/');
});

it('a duplicate cookie is ignored', () => {
  const jar = createCookieJar('https://errand.example');
  expect(jar.read('a=b; __Host-errand_session=x', 'errand_session')).toBe('x');
  expect(jar.read('__Host-errand_session=x; __Host-errand_session=y', 'errand_session')).toBeNull();
  expect(jar.read('errand_session=x', 'errand_session')).toBeNull();
});
