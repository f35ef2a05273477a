import { describe, expect, it } from 'vitest';
import { readColor, readGradient } from './box-styles.ts';

describe('computed styles', () => {
  it('are read as colors with their transparency, and unknown ones as black', () => {
    expect(readColor('rgb(20, 21, 43)')).toBe('#14152bff');
    expect(readColor('rgba(0, 0, 0, 0.5)', 0.5)).toBe('#00000040');
    expect(readColor('color(srgb 1 0.5 0 / 0.2)')).toBe('#ff800033');
    expect(readColor('oklch(0.7 0.1 200)')).toBe('#000000ff');
  });

  it('are read as gradients where an office has the same', () => {
    expect(readGradient('linear-gradient(140deg, rgb(42, 28, 143) 0%, rgb(74, 53, 212) 52%, rgba(0, 0, 0, 0) 100%)')).toEqual({
      angle: 140,
      stops: [
        { at: 0, color: '#2a1c8fff' },
        { at: 0.52, color: '#4a35d4ff' },
        { at: 1, color: '#00000000' },
      ],
    });
    expect(readGradient('linear-gradient(rgb(0, 0, 0), rgb(9, 9, 9))')).toMatchObject({
      angle: 180,
      stops: [{ at: 0 }, { at: 1 }],
    });
    expect(readGradient('radial-gradient(rgb(0, 0, 0), rgb(9, 9, 9))')).toBeNull();
    expect(readGradient('linear-gradient(rgb(0, 0, 0), rgb(9, 9, 9)), url("x")')).toBeNull();
    expect(readGradient('none')).toBeNull();
  });
});
