import { Resvg } from '@resvg/resvg-js';
import { shippedFonts } from '../fonts/font-files.ts';

/** Renders our own SVG as PNG with `zoom` pixels per unit. Never for untrusted SVG: sharp reads that. */
export function rasterSvg(svg: string, zoom: number, extraFonts: readonly string[]): Uint8Array {
  const font = {
    loadSystemFonts: false,
    fontFiles: [...Object.values(shippedFonts), ...extraFonts],
    defaultFontFamily: 'Liberation Sans',
    sansSerifFamily: 'Liberation Sans',
  };
  return new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render().asPng();
}
