import { readColor, readKitRoles, resolveRole } from '../content/kit-roles.ts';
import { seriesColors } from '../palette.ts';
import type { ChartLook } from './chart-spec.ts';

const roles = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-6'];

/** The colors of a theme: `light`, `dark`, or one of the design kit or a brand, whose charts have no ground of their own. */
export async function readLook(
  name: string,
  brand: { theme: string; styles: string } | undefined,
): Promise<Pick<ChartLook, 'theme' | 'colors' | 'background' | 'ink' | 'family'>> {
  if (name === 'light') return { theme: name, colors: seriesColors.light, background: '#ffffff' };
  if (name === 'dark') return { theme: name, colors: seriesColors.dark, background: '#0f172a' };
  const begins = name === 'brand' ? (brand?.theme ?? 'report') : name;
  const theme = begins === 'keynote' ? 'dark' : 'light';
  const kit = await readKitRoles(begins, name === 'brand' ? brand?.styles : undefined);
  const colorOf = (role: string) => `#${readColor(resolveRole(kit, role, theme)) ?? '808080'}`.toLowerCase();
  const ink = {
    ...{ text: colorOf('ink'), muted: colorOf('soft'), line: colorOf('line') },
    ...{ ground: colorOf('ground'), good: colorOf('good'), bad: colorOf('bad') },
  };
  const [, family] = /^\s*"([^"]+)"/.exec(resolveRole(kit, 'text-font', theme)) ?? [];
  return { theme, colors: roles.map(colorOf), background: null, ink, ...(family !== undefined && { family }) };
}
