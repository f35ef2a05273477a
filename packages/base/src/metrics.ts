/** The counters with their descriptions. */
export const counters = {
  errand_http_requests_total: 'Requests answered, by route and status.',
  errand_tasks_claimed_total: 'Tasks that this process took.',
  errand_turns_ended_total: 'Turns that this process brought to their end, by the status of the task then.',
  errand_tasks_expired_total: 'Tasks that this process deleted because they ended longer ago than they are to be kept.',
  errand_workspaces_packed_total: 'Workspaces of quiet tasks that this process packed.',
  errand_workspaces_unpacked_total: 'Packed workspaces that this process unpacked because they were needed.',
  errand_deliveries_total: 'Attempts to deliver to webhooks, by what came of them.',
  errand_model_calls_total: 'Calls of models by this process, by model and what came of them.',
  errand_model_tokens_total:
    'Tokens of these calls as the providers counted them, by model and kind; cached and written are part of input.',
  errand_model_credits_total: 'What these calls cost in credits, by model; nothing for a model without a price.',
  errand_tool_calls_total: 'Calls of tools by this process, by tool and what came of them; those of connectors together.',
  errand_trace_spans_total: 'Spans that this process exported, by what came of them; those that failed are sent again.',
  errand_csp_reports_total: 'What pages of the service were kept from doing by their content security policy, as browsers say.',
} as const;

/** Histograms of durations, in seconds. */
export const timings = {
  errand_http_request_duration_seconds: 'Time from a request to the end of its answer, by route.',
  errand_tool_call_duration_seconds: 'Time from a call of a tool to its result, by tool; those of connectors together.',
  errand_model_call_duration_seconds: 'Time from a call of a model to the end of its reply, by model.',
} as const;

export type CounterName = keyof typeof counters;
export type TimingName = keyof typeof timings;
export type Labels = Readonly<Record<string, string>>;

/** A current value, read on request. */
export interface Gauge {
  name: string;
  about: string;
  value: number;
}

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

interface Series {
  counts: number[];
  sum: number;
  total: number;
}

function escape(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function formatLabels(labels: Labels): string {
  let text = '';
  // Without lists of entries and pairs: a task counts a dozen times.
  for (const name of Object.keys(labels)) text += `${text === '' ? '' : ','}${name}="${escape(labels[name] ?? '')}"`;
  return text;
}

function braced(...labels: readonly string[]): string {
  const text = labels.filter((label) => label !== '').join(',');
  return text === '' ? '' : `{${text}}`;
}

function head(name: string, about: string, type: string): string[] {
  return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`];
}

/**
 * Counts what this process does, for monitoring. Labels come from tables (routes, results) and settings (models), never from requests, which bounds their number.
 */
export class Metrics {
  readonly #counters = new Map<CounterName, Map<string, number>>();
  readonly #timings = new Map<TimingName, Map<string, Series>>();
  readonly #gauges = new Map<string, () => Gauge>();

  count(name: CounterName, labels: Labels = {}, by = 1): void {
    const series = this.#counters.get(name) ?? new Map<string, number>();
    this.#counters.set(name, series);
    const key = formatLabels(labels);
    series.set(key, (series.get(key) ?? 0) + by);
  }

  observe(name: TimingName, labels: Labels, seconds: number): void {
    const byLabels = this.#timings.get(name) ?? new Map<string, Series>();
    this.#timings.set(name, byLabels);
    const key = formatLabels(labels);
    const series = byLabels.get(key) ?? { counts: bounds.map(() => 0), sum: 0, total: 0 };
    byLabels.set(key, series);
    const index = bounds.findIndex((bound) => seconds <= bound);
    if (index >= 0) series.counts[index] = (series.counts[index] ?? 0) + 1;
    series.sum += seconds;
    series.total += 1;
  }

  /** Adds a current value of this process; a later gauge with the same name replaces it. */
  addGauge(name: string, about: string, read: () => number): void {
    this.#gauges.set(name, () => ({ name, about, value: read() }));
  }

  /** All metrics in the text format of Prometheus. */
  render(gauges: readonly Gauge[]): string {
    const counted = Object.entries(counters).flatMap(([name, about]) => [
      ...head(name, about, 'counter'),
      ...[...(this.#counters.get(name as CounterName) ?? [])].map(([labels, value]) => `${name}${braced(labels)} ${value}`),
    ]);
    const timed = Object.entries(timings).flatMap(([name, about]) => [
      ...head(name, about, 'histogram'),
      ...[...(this.#timings.get(name as TimingName) ?? [])].flatMap(([labels, series]) => renderSeries(name, labels, series)),
    ]);
    const own = [...this.#gauges.values()].map((read) => read());
    const now = [...own, ...gauges].flatMap(({ name, about, value }) => [...head(name, about, 'gauge'), `${name} ${value}`]);
    return [...counted, ...timed, ...now, ''].join('\n');
  }
}

function renderSeries(name: string, labels: string, { counts, sum, total }: Series): string[] {
  let below = 0;
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0;
    return `${name}_bucket${braced(labels, `le="${bound}"`)} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket${braced(labels, 'le="+Inf"')} ${total}`,
    `${name}_sum${braced(labels)} ${sum}`,
    `${name}_count${braced(labels)} ${total}`,
  ];
}
