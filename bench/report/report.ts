import type { Figure } from './figure.ts';
import { meets, targetOf } from './targets.ts';

const headings = ['figure', 'database', 'measured', 'of node:http', 'of bare database', 'target', '', 'note'] as const;

function formatNumber(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function formatValue(value: number, unit: Figure['unit']): string {
  return unit === '/s' ? `${formatNumber(value)}/s` : `${formatNumber(value)} ${unit}`.trimEnd();
}

/** A rate as a part of the ceiling's, anything else as a multiple of it. */
function formatRatio({ value, unit }: Figure, ceiling: number | undefined): string {
  if (ceiling === undefined) return '';
  const ratio = unit === '/s' ? `${Math.round((value / ceiling) * 100)} %` : `${(value / ceiling).toFixed(1)} ×`;
  return `${ratio} of ${formatValue(ceiling, unit)}`;
}

function formatRow(figure: Figure): string[] {
  const { name, database, value, unit, http, bare, note = '' } = figure;
  const target = targetOf(figure);
  const limit = target && ('atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`);
  const verdict = target ? (meets(value, target) ? 'pass' : 'FAIL') : '';
  return [
    name,
    database,
    formatValue(value, unit),
    formatRatio(figure, http),
    formatRatio(figure, bare),
    limit ?? '',
    verdict,
    note,
  ];
}

/** The figures as a table for people (and for Markdown). */
export function renderTable(figures: readonly Figure[]): string {
  const rows = [[...headings], ...figures.map(formatRow)];
  const widths = headings.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}

/** The figures for machines: each with its target and whether it was met. */
export function renderJson(about: object, figures: readonly Figure[]): string {
  const compared = figures.map((figure) => {
    const target = targetOf(figure);
    return { ...figure, target, isMet: target && meets(figure.value, target) };
  });
  return JSON.stringify({ ...about, figures: compared });
}
