import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { counters, timings } from '@errand/base/metrics.ts';
import { Child } from '../support/process/child.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { findQuietPort } from '../support/service/quiet-port.ts';
import { eventually, isEnd, ServiceClient } from '../support/service/service-client.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../deploy/monitoring', import.meta.url));
const runbooks = readFileSync(new URL('../../docs/operate/monitoring.md', import.meta.url), 'utf8');

const missing = ['prometheus', 'promtool'].filter((program) => !existsSync(`/usr/bin/${program}`));
if (missing.length > 0 && process.env.CI) throw new Error(`missing: ${missing.join(', ')} (apt-get install prometheus)`);

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

interface Panel {
  title: string;
  targets: { expr: string }[];
}

const readShipped = (name: string) => readFileSync(join(folder, name), 'utf8');
const rules = (parse(readShipped('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readShipped('dashboard.json')) as { panels: Panel[] };
const queries = [...rules.map(({ expr }) => expr), ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];

/** The metrics of the service that a text names. */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(/\berrand_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''));
  return [...new Set(names)].toSorted();
}

describe('the rules and the dashboard', () => {
  it('name metrics that exist, which are all in the documentation', async () => {
    await using service = await LocalService.start();
    const page = await (await fetch(`${service.url}/metrics`)).text();
    const shown = [...page.matchAll(/^# TYPE (errand_\w+)/gm)].map(([, name = '']) => name);
    expect(shown).toEqual(expect.arrayContaining([...Object.keys(counters), ...Object.keys(timings)]));
    expect(shown).toEqual(expect.arrayContaining(namesIn(queries.join('\n'))));
    expect(namesIn(runbooks)).toEqual(shown.toSorted());
  });

  it('lead from each alert to what to do and to the page of the operator, at the running service', async () => {
    await using service = await LocalService.start();
    for (const { alert, annotations } of rules) {
      const follow = (link = '') => fetch(link.replace('{{ $externalLabels.service_url }}', service.url));
      const runbook = await (await follow(annotations.runbook_url)).text();
      expect([alert, annotations.runbook_url?.split('#')[1]]).toEqual([alert, alert.toLowerCase()]);
      expect(runbook).toContain(` id="${alert.toLowerCase()}"`);
      if (annotations.page_url !== undefined) expect([alert, (await follow(annotations.page_url)).status]).toEqual([alert, 200]);
      expect(runbooks).toContain(`\n### ${alert}\n`);
    }
    expect(rules.find(({ alert }) => alert === 'ErrandModelFails')?.annotations.page_url).toContain('/instance/models');
    expect([...runbooks.matchAll(/^### (Errand\w+)$/gm)].map(([, name = '']) => name).toSorted()).toEqual(
      rules.map(({ alert }) => alert).toSorted(),
    );
  });
});

describe.skipIf(missing.length > 0)('a real Prometheus', () => {
  it('accepts the rules, and they fire when they should', async () => {
    const promtool = (...args: string[]) => run('promtool', args, { cwd: folder });
    expect((await promtool('check', 'config', 'prometheus.yaml')).stdout).toContain('SUCCESS');
    expect((await promtool('test', 'rules', 'alerts.test.yaml')).stdout).toContain('SUCCESS');
  });

  it('reads the metrics of a service, and every query of rules and dashboard', async () => {
    await using service = await LocalService.start();
    const client = new ServiceClient(service);
    await client.follow(await client.createTask('write a.txt with A'), isEnd);
    const data = createFolder('prometheus');
    const config = parse(readShipped('prometheus.yaml')) as { scrape_configs: { static_configs: object[] }[] };
    const [job] = config.scrape_configs;
    const target = { ...job, static_configs: [{ targets: [new URL(service.url).host] }] };
    const quick = { global: { scrape_interval: '1s', evaluation_interval: '1s' }, rule_files: [join(folder, 'alerts.yaml')] };
    writeFileSync(join(data, 'prometheus.yaml'), JSON.stringify({ ...quick, scrape_configs: [target] }));
    const address = `127.0.0.1:${await findQuietPort()}`;
    const flags = [
      `--config.file=${join(data, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=${address}`,
    ];
    const prometheus = await Child.start('/usr/bin/prometheus', flags, { env: { PATH: '/usr/bin:/bin' }, cwd: data });
    const ask = async (path: string) => {
      const answer = await fetch(`http://${address}/api/v1/${path}`).catch(() => null);
      return answer?.ok
        ? (
            (await answer.json()) as {
              data: { result: { value: [number, string] }[]; groups: { rules: { health: string; name: string }[] }[] };
            }
          ).data
        : null;
    };
    const query = (expr: string) =>
      ask(`query?${new URLSearchParams({ query: expr.replaceAll('$__rate_interval', '1m') }).toString()}`);
    await eventually('a scrape', async () => ((await query('errand_turns_ended_total'))?.result.length ? true : null));
    for (const expr of queries) expect([expr, (await query(expr)) !== null]).toEqual([expr, true]);
    const calls = await query('errand_tool_calls_total{tool="write_file", status="success"}');
    expect(calls?.result[0]?.value[1]).toBe('1');
    const evaluated = await eventually('the rules are evaluated', async () => {
      const all = (await ask('rules'))?.groups.flatMap((group) => group.rules) ?? [];
      return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : null;
    });
    expect(evaluated.map(({ name, health }) => [name, health])).toEqual(rules.map(({ alert }) => [alert, 'ok']));
    prometheus.signal('SIGTERM');
    await prometheus.ended;
  });
});
