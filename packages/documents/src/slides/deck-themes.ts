import type { ChartTheme } from '../charts/chart-spec.ts';
import { seriesColors } from '../palette.ts';
import type { DeckSpec, DeckThemeName } from './deck-spec.ts';

/** The colors of a deck, `#rrggbb`. */
export interface DeckTheme {
  ground: string;
  text: string;
  strong: string;
  muted: string;
  accent: string;
  /** Background and text color of section slides. */
  section: string;
  onSection: string;
  panel: string;
  line: string;
  chart: ChartTheme;
  series: readonly string[];
}

const themes: Record<DeckThemeName, Omit<DeckTheme, 'series'>> = {
  light: {
    ...{ ground: '#ffffff', text: '#1e293b', strong: '#0f172a', muted: '#64748b', accent: '#2563eb' },
    ...{ section: '#0f172a', onSection: '#ffffff', panel: '#f1f5f9', line: '#cbd5e1', chart: 'light' },
  },
  dark: {
    ...{ ground: '#0f172a', text: '#e2e8f0', strong: '#ffffff', muted: '#94a3b8', accent: '#38bdf8' },
    ...{ section: '#082f49', onSection: '#ffffff', panel: '#1e293b', line: '#334155', chart: 'dark' },
  },
  warm: {
    ...{ ground: '#fffaf3', text: '#3f2d20', strong: '#2a1a10', muted: '#8a7361', accent: '#c2410c' },
    ...{ section: '#7c2d12', onSection: '#fff7ed', panel: '#fbeedd', line: '#e7d3bd', chart: 'light' },
  },
  forest: {
    ...{ ground: '#fbfdfb', text: '#1f2f27', strong: '#10241a', muted: '#5f7468', accent: '#047857' },
    ...{ section: '#064e3b', onSection: '#ecfdf5', panel: '#e8f3ec', line: '#c3d9cc', chart: 'light' },
  },
};

/** The hue of a color in degrees; null for grays. */
function readHue(color: string): number | null {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
  const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (high - low < 24) return null;
  const span = high - low;
  const turn = high === red ? (green - blue) / span : high === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  return (turn * 60 + 360) % 360;
}

function isAlike(one: string, other: string): boolean {
  const [a, b] = [readHue(one), readHue(other)];
  if (a === null || b === null) return a === b;
  const distance = Math.abs(a - b);
  return Math.min(distance, 360 - distance) < 20;
}

/** The deck's colors; its chart colors start with the accent and omit similar ones. */
export function chooseTheme({ theme, accent }: Pick<DeckSpec, 'theme' | 'accent'>): DeckTheme {
  const chosen = themes[theme];
  const main = accent?.toLowerCase() ?? chosen.accent;
  const others = seriesColors[chosen.chart].filter((color) => !isAlike(color, main));
  return { ...chosen, accent: main, series: [main, ...others] };
}
