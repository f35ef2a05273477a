import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

describe('Metrics', () => {
  it('counts by label, and renders all values as text', () => {
    const metrics = new Metrics();
    metrics.count('errand_tasks_claimed_total');
    metrics.count('errand_tasks_claimed_total', {}, 2);
    metrics.count('errand_deliveries_total', { result: 'a "b"\\\n' });
    const lines = metrics.render([{ name: 'errand_tasks_running', about: 'Now.', value: 7 }]).split('\n');
    expect(lines).toContain('errand_tasks_claimed_total 3');
    expect(lines).toContain(String.raw`errand_deliveries_total{result="a \"b\"\\\n"} 1`);
    expect(lines).toContain('# TYPE errand_tasks_running gauge');
    expect(lines).toContain('errand_tasks_running 7');
    expect(lines.at(-1)).toBe('');
  });

  it('adds each duration to every bucket that covers it', () => {
    const metrics = new Metrics();
    for (const seconds of [0.001, 0.005, 0.2, 60])
      metrics.observe('errand_http_request_duration_seconds', { route: '/a' }, seconds);
    const text = metrics.render([]);
    const read = (end: string) => Number(new RegExp(`^errand_http_request_duration_seconds${end} (.*)$`, 'm').exec(text)?.[1]);
    expect(read('_bucket{route="/a",le="0.005"}')).toBe(2);
    expect(read('_bucket{route="/a",le="0.25"}')).toBe(3);
    expect(read('_bucket{route="/a",le="30"}')).toBe(3);
    expect(read(String.raw`_bucket{route="/a",le="\+Inf"}`)).toBe(4);
    expect(read('_count{route="/a"}')).toBe(4);
    expect(read('_sum{route="/a"}')).toBeCloseTo(60.206);
  });
});
