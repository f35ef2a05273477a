import { contrastOf } from '@errand/base/text/colors.ts';
import { invalidField } from '@errand/base/fault.ts';
import type { BrandColors } from './brand.ts';

/** What the themes of the design kit have, about. */
const usualText = '#1a1d23';
const usualBackground = '#ffffff';

/** The contrasts that the accessibility guidelines ask for, and for areas one at which they can be told from the page. */
const leastContrast = { text: 4.5, accent: 3, chart: 1.2 };

function show(contrast: number): string {
  return `${Math.floor(contrast * 10) / 10} : 1`;
}

function check(field: string, color: string, ground: string, least: number): void {
  const contrast = contrastOf(color, ground);
  if (contrast >= least) return;
  const remedy = contrastOf('#000000', ground) > contrastOf('#ffffff', ground) ? 'darker' : 'lighter';
  const measured = `${color} on ${ground} has a contrast of ${show(contrast)}, and needs ${show(least)}`;
  throw invalidField(field, `${measured}. Choose a ${remedy} color.`);
}

/** Throws a 400 that names the first color which cannot be read, or told from the background. */
export function checkContrast({ accent, text = usualText, background = usualBackground, chart }: BrandColors): void {
  check('colors.text', text, background, leastContrast.text);
  if (accent !== undefined) check('colors.accent', accent, background, leastContrast.accent);
  for (const [at, color] of chart.entries()) check(`colors.chart.${at}`, color, background, leastContrast.chart);
}
