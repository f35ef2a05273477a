import { BarChart, HeatmapChart, LineChart, PieChart, RadarChart, ScatterChart } from 'echarts/charts';
import {
  GridComponent,
  LegendScrollComponent,
  MarkLineComponent,
  MarkPointComponent,
  RadarComponent,
  TitleComponent,
  VisualMapComponent,
} from 'echarts/components';
import { init, setPlatformAPI, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import { textWidth } from '../fonts/text-width.ts';
import { describeChart } from './chart-option.ts';
import type { ChartData, ChartLook, ChartSpec } from './chart-spec.ts';

use([
  ...[BarChart, HeatmapChart, LineChart, PieChart, RadarChart, ScatterChart, LabelLayout, SVGRenderer],
  ...[
    GridComponent,
    LegendScrollComponent,
    MarkLineComponent,
    MarkPointComponent,
    RadarComponent,
    TitleComponent,
    VisualMapComponent,
  ],
]);

/** Gives echarts the exact text widths of the shipped font; without a canvas it would guess them. */
setPlatformAPI({
  measureText(text, font) {
    const size = Number(/(\d+(\.\d+)?)px/.exec(font ?? '')?.[1] ?? 12);
    return { width: textWidth(text, /\bbold\b/.test(font ?? '')) * size };
  },
});

/** Removes what only a mouse would use. In texts of the chart `<` and `"` are escaped, so they cannot match. */
const forMouse = /<style >[\s\S]*?<\/style>\n?| ecmeta_\w+="[^"]*"| class="zr[^"]*"/g;

/** Draws a chart as SVG: text stays text, nothing in it runs and nothing external is loaded. */
export function drawChart(spec: ChartSpec, data: ChartData, look: ChartLook): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: look.width, height: look.height });
  try {
    chart.setOption(describeChart(spec, data, look));
    return chart.renderToSVGString({ useViewBox: true }).replaceAll(forMouse, '');
  } finally {
    chart.dispose();
  }
}
