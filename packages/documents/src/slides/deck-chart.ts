import { drawChart } from '../charts/chart-drawing.ts';
import type { Element } from './deck-scene.ts';
import type { DeckTheme } from './deck-themes.ts';

/** A chart of a slide as SVG, legible from the last row. */
export function drawSceneChart({ spec, data, frame }: Extract<Element, { kind: 'chart' }>, theme: DeckTheme): string {
  const look = { theme: theme.chart, colors: theme.series, background: null, scale: 1.25 };
  return drawChart(spec, data, { ...look, width: Math.round(frame.width), height: Math.round(frame.height) });
}
