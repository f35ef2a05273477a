import { expect, it } from 'vitest';
import { findEscape } from './unseen-style.ts';

it.each([
  'font-size: 1px',
  'color:white;font-size:0',
  'position: absolute; left: -9999px',
  'text-indent: -100em',
  'overflow:hidden;width:1px',
  'color: transparent',
  'color: rgba(0, 0, 0, 0)',
  'color: #eee; background: #eee',
  'COLOR: #FFF !important',
])('text of style "%s" is for machines', (style) => expect(findEscape(style, true)).toBe('machines'));

it.each(['display:none', 'visibility: hidden !important'])('what has the style "%s" is shown later', (style) =>
  expect(findEscape(style, true)).toBe('shown-later'),
);

it.each([
  '',
  'font-size: 12px',
  'font-size: .8em',
  'opacity: 0',
  'left: -10px',
  'color: white; background: navy',
  'width: 1px',
  'color',
  ';;:',
])('text of style "%s" can be seen', (style) => expect(findEscape(style, true)).toBeNull());

it('white text can be seen on a page that sets backgrounds', () => {
  expect(findEscape('color: white', false)).toBeNull();
});
