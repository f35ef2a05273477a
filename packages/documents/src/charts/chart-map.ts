import { MapChart } from 'echarts/charts';
import { GeoComponent } from 'echarts/components';
import { type EChartsCoreOption, registerMap, use } from 'echarts/core';
import { mixColors } from '@errand/base/text/colors.ts';
import { fontOf, writeValue } from './chart-labels.ts';
import type { ChartParts } from './chart-parts.ts';
import { findCountry } from './country-names.ts';
import { countryShapes as shapesText } from './country-shapes.ts';

use([MapChart, GeoComponent]);

type Point = [number, number];

let shapes: Readonly<Record<string, readonly (readonly number[])[]>> | undefined;

/** The outlines are parsed when the first map is drawn. */
function readShapes() {
  shapes ??= JSON.parse(shapesText) as NonNullable<typeof shapes>;
  return shapes;
}

function readRing(steps: readonly number[]): Point[] {
  const points: Point[] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at + 1 < steps.length; at += 2) {
    x += steps[at] ?? 0;
    y += steps[at + 1] ?? 0;
    points.push([x / 10, y / 10]);
  }
  return points;
}

interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

const world: Box = { left: -264, right: 264, bottom: -108, top: 129 };

/** Where the largest part of a country lies: islands far away do not widen the map. */
function boundsOf(code: string): Box | null {
  const rings = (readShapes()[code] ?? []).map(readRing);
  const largest = rings.toSorted((a, b) => b.length - a.length)[0];
  if (!largest) return null;
  const [xs, ys] = [largest.map(([x]) => x), largest.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
}

/** The part of the world that the countries take, with air around it; the whole world if they are spread over half of it. */
function fitCountries(codes: readonly string[]): Box {
  const boxes = codes.flatMap((code) => boundsOf(code) ?? []);
  if (boxes.length === 0) return world;
  const fit = {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.min(...boxes.map(({ bottom }) => bottom)),
    top: Math.max(...boxes.map(({ top }) => top)),
  };
  if (fit.right - fit.left > (world.right - world.left) * 0.5) return world;
  const air = Math.max(fit.right - fit.left, fit.top - fit.bottom) * 0.06;
  return { left: fit.left - air, right: fit.right + air, bottom: fit.bottom - air, top: fit.top + air };
}

const mapName = 'countries';

/** Registers what of the countries lies in a part of the world; a drawing holds nothing that is not seen. */
function registerCountries(box: Box): void {
  const isSeen = (ring: readonly Point[]) =>
    ring.some(([x, y]) => x >= box.left && x <= box.right && y >= box.bottom && y <= box.top);
  const features = Object.entries(readShapes()).flatMap(([code, rings]) => {
    const coordinates = rings.map(readRing).filter(isSeen);
    if (coordinates.length === 0) return [];
    const geometry = { type: 'MultiPolygon' as const, coordinates: coordinates.map((ring) => [ring]) };
    return [{ type: 'Feature' as const, properties: { name: code }, geometry }];
  });
  registerMap(mapName, { geoJSON: { type: 'FeatureCollection', features }, specialAreas: {} });
}

/** Where the map stands: as large as fits, not stretched. */
function placeMap(box: Box, { look }: ChartParts, top: number) {
  const { scale } = look;
  const [left, right, bottom] = [16 * scale, 86 * scale, 16 * scale];
  const [wide, high] = [look.width - left - right, look.height - top - bottom];
  const ratio = (box.right - box.left) / (box.top - box.bottom);
  const width = Math.min(wide, high * ratio);
  const height = width / ratio;
  return { left: left + (wide - width) / 2, top: top + (high - height) / 2, width, height };
}

/** The labels of a map that are no countries. */
export function listUnknownCountries(labels: readonly string[]): string[] {
  return labels.filter((label) => !readShapes()[findCountry(label) ?? '']);
}

/** Countries in the strength of their numbers. */
export function describeMap(parts: ChartParts, top: number): EChartsCoreOption {
  const { data, look, ink } = parts;
  const values = data.series[0]?.values ?? [];
  const shown = data.labels.map((label, at) => ({ name: findCountry(label) ?? '', label, value: values[at] ?? null }));
  const box = fitCountries(shown.map(({ name }) => name));
  registerCountries(box);
  const byCode = new Map(shown.map((each) => [each.name, each]));
  const numbers = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  // On a dark country the text is light.
  const contrast = (value: number | null) =>
    value !== null && value - low > (high - low) * 0.45
      ? { color: ink.ground, textBorderColor: mixColors(look.colors[0] ?? ink.text, ink.ground, 0.85) }
      : {};
  const isNamed = shown.length <= 30;
  const label = {
    show: false,
    ...fontOf(parts, 12),
    color: ink.text,
    textBorderColor: ink.ground,
    textBorderWidth: 3 * look.scale,
    formatter: ({ name }: { name: string }) => {
      const country = byCode.get(name);
      return country ? `${country.label}\n${writeValue(parts, country.value)}` : '';
    },
  };
  return {
    type: 'map',
    map: mapName,
    aspectScale: 1,
    boundingCoords: [
      [box.left, box.top],
      [box.right, box.bottom],
    ],
    ...placeMap(box, parts, top),
    itemStyle: { areaColor: mixColors(ink.line, ink.ground, 0.55), borderColor: ink.ground, borderWidth: 0.7 * look.scale },
    label,
    labelLayout: { hideOverlap: true },
    data: shown.map(({ name, value }) => ({
      name,
      value: value ?? '-',
      label: { show: isNamed && value !== null, ...contrast(value) },
    })),
  };
}
