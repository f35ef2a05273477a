import { expect, it } from 'vitest';
import { readHtmlText } from './html-text.ts';

it('the text of a page has its lines, lists, cells, pictures, and links', () => {
  const html = `<html><head><title>No</title><style>p { color: red }</style></head><body>
    <h1>Order   7</h1><p>Two<br>lines &amp; more</p><ul><li>Tea</li><li>Milk</li></ul>
    <table><tr><td>Sum</td><td>9 €</td></tr></table><img src="x" alt="A cup">
    <a href="https://shop.test/7">See it</a> <a href="https://shop.test">https://shop.test</a> <a href="javascript:x">no</a></body>`;
  expect(readHtmlText(html)).toBe(
    'Order 7\n\nTwo\nlines & more\n\n- Tea\n- Milk\n\nSum 9 €\n\nA cup See it <https://shop.test/7> https://shop.test no',
  );
});

it.each([
  '<div style="display : NONE !important">secret</div>',
  '<p hidden>secret</p>',
  '<span style="font-size:0px;color:red">secret</span>',
  '<span style="visibility:hidden">s<b>ecret</b></span>',
  '<div style="max-height:0;overflow:hidden"><p>secret</p></div>',
  '<p style="position:absolute;left:-9999px">secret</p>',
  '<p style="color:#fff;background-color:#fff">secret</p>',
  '<p style="opacity:0.0">secret</p>',
  '<div style="mso-hide:all">secret</div>',
  '<style>/* a */ p.gone, #off { display:none }</style><p class="x gone">secret</p><p id="off">secret</p>',
  '<script>secret</script><template>secret</template><select><option>secret</option></select><!-- secret -->',
])('text that nobody sees is dropped: %s', (hidden) => {
  expect(readHtmlText(`<p>before</p>${hidden}<p>after</p>`)).toBe('before\n\nafter');
});

it('what is hidden only on some screens is kept', () => {
  const html = '<style>@media (max-width: 600px) { .wide { display: none } }</style><p class="wide">for all</p>';
  expect(readHtmlText(html)).toBe('for all');
});

it('broken pages are read as far as they go', () => {
  expect(readHtmlText('<p>one <b>two</p></i></td> three <a href="https://x.test')).toContain('one two');
  expect(readHtmlText(`${'<div style="display:none">'.repeat(10_000)}secret`)).toBe('');
});

it('a page whose elements nest without end is read up to there', () => {
  const deep = `${'<div>'.repeat(150_000)}${'</i>'.repeat(50_000)}`;
  expect(readHtmlText(`<p>before</p>${deep}after`)).toBe('before');
});
