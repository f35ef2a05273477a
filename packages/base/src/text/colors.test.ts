import { describe, expect, it } from 'vitest';
import { contrastOf, mixColors } from './colors.ts';

describe('colors', () => {
  it('have the contrast that the accessibility guidelines define', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#ffffff', '#767676')).toBeCloseTo(4.54, 2);
    expect(contrastOf('#0b57b0', '#0b57b0')).toBe(1);
  });

  it('are mixed channel by channel', () => {
    expect(mixColors('#ff0000', '#0000ff', 0.5)).toBe('#800080');
    expect(mixColors('#102030', '#ffffff', 1)).toBe('#102030');
  });
});
