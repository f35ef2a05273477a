import { describe, expect, it } from 'vitest';
import { readGradients } from './gradient-layers.ts';

const percent = (value: number) => ({ value, unit: '%' });

describe('backgrounds of style sheets', () => {
  it('are read as layers, the lowest first, with the places of their colors', () => {
    const rings = 'radial-gradient(circle at 103% 101%, rgb(255 255 255 / 0.1) 0 16%, transparent 16.1%)';
    const [ground, art] = readGradients(`${rings}, linear-gradient(152deg, #0c3552 0%, #0f4c75, #1a6585)`);
    expect(ground).toEqual({
      angle: 152,
      stops: [
        { color: '#0c3552', opacity: 1, at: percent(0) },
        { color: '#0f4c75', opacity: 1, at: percent(50) },
        { color: '#1a6585', opacity: 1, at: percent(100) },
      ],
    });
    expect(art?.middle).toEqual([percent(103), percent(101)]);
    expect(art?.stops.map(({ at }) => at.value)).toEqual([0, 16, 16.1]);
  });

  it('fade to nothing in their own color', () => {
    const [layer] = readGradients('radial-gradient(circle at 8% 104%, rgb(46 20 140 / 0.9), transparent 48%)');
    expect(layer?.stops).toEqual([
      { color: '#2e148c', opacity: 0.9, at: percent(0) },
      { color: '#2e148c', opacity: 0, at: percent(48) },
    ]);
  });

  it('have ovals, pixels, tiles, mixed colors, and single colors', () => {
    const [color, oval, tile] = readGradients(
      'linear-gradient(rgb(255 255 255 / 0.05) 1px, transparent 1px) 0 0 / 36px 36px, radial-gradient(120% 110% at 85% 0%, color-mix(in srgb, #ff0000 82%, transparent) 0%, #fff 58%), #5b2a9d',
    );
    expect(color?.stops[0]).toMatchObject({ color: '#5b2a9d', opacity: 1 });
    expect(oval?.radiuses).toEqual([percent(120), percent(110)]);
    expect(oval?.stops[0]).toMatchObject({ color: '#ff0000', opacity: 0.82 });
    expect(tile).toMatchObject({ tile: 36, angle: 180 });
    expect(tile?.stops[0]?.at).toEqual({ value: 1, unit: 'px' });
  });

  it('give nothing of what is hostile, and are bounded', () => {
    expect(readGradients('url(http://evil.example), linear-gradient("><script>, url(x)), expression(1)')).toEqual([]);
    const many = readGradients(`${'linear-gradient(#fff,#000),'.repeat(1_000)}linear-gradient(${'#fff,'.repeat(900)}#000)`);
    expect(many.length).toBeLessThanOrEqual(12);
    const [first] = readGradients(`linear-gradient(${'#fff,'.repeat(700)}#000)`);
    expect(first?.stops).toHaveLength(40);
  });
});
