import { Resvg } from '@resvg/resvg-js';
import { shippedFonts } from '../fonts/font-files.ts';

/** Draws an SVG of our own as PNG, `zoom` pixels to a unit. Never for what others made: sharp reads that. */
export function rasterSvg(svg: string, zoom: number, extraFonts: readonly string[]): Uint8Array {
  const font = {
    loadSystemFonts: false,
    fontFiles: [...Object.values(shippedFonts), ...extraFonts],
    defaultFontFamily: 'Liberation Sans',
    sansSerifFamily: 'Liberation Sans',
  };
  return new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render().asPng();
}
