import { Tooltip } from 'radix-ui';
import { renderToStaticMarkup } from 'react-dom/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';

/** The elements that a text becomes, without the ones around them. */
function draw(text: string): string {
  const html = renderToStaticMarkup(
    <Tooltip.Provider>
      <Markdown text={text} />
    </Tooltip.Provider>,
  );
  return html.slice(html.indexOf('<div class="markdown">') + '<div class="markdown">'.length, html.lastIndexOf('</div>'));
}

describe('Markdown', () => {
  it.each([
    [
      '**bold** and *soft* and ~~gone~~ and `code`',
      '<p><strong>bold</strong> and <em>soft</em> and <del>gone</del> and <code>code</code></p>',
    ],
    ['# One\n\n## Two', '<h3 data-depth="1">One</h3><h4 data-depth="2">Two</h4>'],
    ['a\nb', '<p>a<br/>b</p>'],
    ['> said', '<blockquote><p>said</p></blockquote>'],
    ['3. c\n4. d', '<ol start="3"><li>c</li><li>d</li></ol>'],
    ['Tom &amp; Jerry &lt;b&gt;', '<p>Tom &amp; Jerry &lt;b&gt;</p>'],
    ['- a\n  - b', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ])('%j is rendered', (text, html) => {
    expect(draw(text)).toBe(html);
  });

  it('shows tables with their alignment, in a scrollable frame', () => {
    const html = draw('| a | b |\n|---|--:|\n| 1 | 2 |');
    expect(html).toContain('<section class="table-frame" aria-label="a, b" tabindex="0">');
    expect(html).toContain('<td class="text-right">2</td>');
  });

  it('shows open and completed tasks', () => {
    expect(draw('- [x] done\n- [ ] open').match(/<input type="checkbox"[^>]*>/g)).toHaveLength(2);
  });
});

describe('hostile Markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <svg onload=alert(1)> b',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt&#58;alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:x "onmouseover=alert(1)")',
    '![x](javascript:alert(1))',
    '![x](https://tracker.example/pixel.gif)',
    '[ref]\n\n[ref]: javascript:alert(1)',
    '<javascript:alert(1)>',
    '`<img src=x onerror=alert(1)>`',
    '```html\n<script>alert(1)</script>\n```',
    '| <img src=x onerror=alert(1)> |\n|---|\n| <script>1</script> |',
    '<details open ontoggle=alert(1)>',
    '<style>*{background:url(https://tracker.example)}</style>',
    '<form action=https://evil.example><input name=password></form>',
    '[x](https://name:secret@evil.example)',
  ])('creates no elements of its own, and links to web URLs only: %j', (text) => {
    const html = draw(text);
    const elements = [...html.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name);
    for (const name of ['script', 'img', 'iframe', 'style', 'form', 'details', 'object', 'embed', 'base', 'meta', 'link']) {
      expect(elements).not.toContain(name);
    }
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]+\son[a-z]+=/i);
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?:\/\/(?![^/]*@)|mailto:)/);
  });

  it('creates text elements only, whatever it contains', () => {
    const pieces = fc.constantFrom(
      ...[
        '<script>',
        '</script>',
        '<img src=x onerror=alert(1)>',
        '<b onclick=x>',
        '</p>',
        '<!--',
        '-->',
        '<svg/onload=1>',
        '<a href="',
      ],
      ...[
        '[x](',
        ')',
        '![',
        '](javascript:1)',
        '](https://a.example)',
        '[^1]',
        '[^1]: note',
        '|',
        '---|---',
        '\n',
        '\n\n',
        '```',
        '`',
      ],
      ...[
        '# ',
        '> ',
        '- ',
        '- [x] ',
        '1. ',
        '**',
        '_',
        '~~',
        '\\',
        '&lt;',
        '&#60;',
        '<https://a.example>',
        '"',
        "'",
        '    ',
        '$x$',
        'text',
      ],
    );
    const known =
      /^(?:p|h[3-6]|ul|ol|li|blockquote|hr|br|strong|em|del|code|pre|a|span|table|thead|tbody|tr|th|td|section|input|figure|figcaption|button|svg|path|rect|circle|polyline|line|div)$/;
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 25 }), (parts) => {
        const html = draw(parts.join(''));
        for (const [tag, name = ''] of html.matchAll(/<([a-zA-Z0-9-]+)[^>]*>/g)) {
          expect(name, html).toMatch(known);
          expect(tag.replaceAll(/"[^"]*"/g, '""'), html).not.toMatch(/\s(?:on\w+|style|src|srcset|srcdoc|action|formaction)=/i);
        }
        for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href, html).toMatch(/^(https?:|mailto:)/);
      }),
      { numRuns: 300 },
    );
  });

  it('opens external links in a tab isolated from this one', () => {
    expect(draw('[x](https://a.example)')).toContain('target="_blank" rel="noopener noreferrer nofollow"');
  });

  it('is shown as plain text if it is too long to render', () => {
    expect(draw('[x](https://a.example) '.repeat(30_000))).not.toContain('href');
  });

  it('cannot hang the page with nesting', () => {
    for (const text of ['>'.repeat(20_000), '['.repeat(20_000), '*a '.repeat(20_000), `${'- '.repeat(2_000)}x`]) {
      expect(() => draw(text)).not.toThrow();
    }
  });
});
