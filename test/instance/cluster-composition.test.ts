import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';

const folder = fileURLToPath(new URL('../../deploy/compose', import.meta.url));
const readFile = (name: string) => readFileSync(join(folder, name), 'utf8');

interface ComposedService {
  command?: string[];
  /** A value is null that is empty. */
  environment: Record<string, string | null>;
  networks: string[];
  ports?: string[];
  volumes: string[];
  tmpfs?: string[];
  security_opt?: string[];
  cap_add?: string[];
  mem_limit?: string;
  pids_limit?: number;
}

/** Every variable with a value, as after filling in the example; a default where there is one. */
function fillIn(text: string): string {
  const example = Object.fromEntries(
    [...readFile('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, rest: string) => {
    if (kind === '?') expect(example, name).toHaveProperty(name);
    return example[name] || (kind === '-' ? rest : 'a-long-canary-of-this-test');
  });
}

const { services } = parse(fillIn(readFile('compose.yaml')), { merge: true }) as { services: Record<string, ComposedService> };
const ours = Object.entries(services).filter(([, { command }]) => command?.[0] === 'serve');

describe('the composition of a cluster', () => {
  it('has two processes of the API, two workers, a database, a store of files, and a proxy', () => {
    expect(Object.keys(services)).toEqual(['api-a', 'api-b', 'worker-a', 'worker-b', 'postgres', 's3', 'caddy']);
    expect(ours.map(([, { command }]) => command?.at(-1))).toEqual(['api', 'api', 'worker', 'worker']);
  });

  it.each(ours)('gives %s only valid settings, with the database, secret, and bucket of all', (_, { environment }) => {
    const given: [string, string][] = Object.entries(environment).map(([setting, value]) => [setting, value ?? '']);
    const env: Record<string, string> = Object.fromEntries(given);
    const { warnings, ...config } = readConfig(env);
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({ publicUrl: 'https://errand.example.com' });
    const shared = ['ERRAND_DATABASE_URL', 'ERRAND_SECRET', 'ERRAND_BLOBS', 'ERRAND_S3_SECRET_ACCESS_KEY'];
    for (const name of shared) expect([name, environment[name]]).toEqual([name, services['api-a']?.environment[name]]);
  });

  it.each(Object.entries(services))('bounds %s, and leaves it nothing it does not need', (name, service) => {
    expect(service).toMatchObject({ cap_drop: ['ALL'], read_only: true, restart: 'unless-stopped' });
    expect(service.mem_limit).toMatch(/\d[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.cap_add ?? []).toEqual(name === 'caddy' ? ['NET_BIND_SERVICE'] : []);
    expect(service.ports ?? []).toEqual(name === 'caddy' ? ['80:80', '443:443', '443:443/udp'] : []);
    // Memory of a tmpfs is memory of the container.
    for (const place of service.tmpfs ?? []) expect(place).toMatch(/:.*\bsize=\d+/);
    // Only workers run commands of agents, which need namespaces.
    expect(service.security_opt?.length === 1).toBe(!name.startsWith('worker'));
  });

  it('lets only the API and the workers reach the database and the files, and only the proxy the API', () => {
    const on = (network: string) => Object.keys(services).filter((name) => services[name]?.networks.includes(network));
    expect(on('back')).toEqual(['api-a', 'api-b', 'worker-a', 'worker-b', 'postgres', 's3']);
    expect(on('front')).toEqual(['api-a', 'api-b', 'caddy']);
  });

  it('sends requests to every process of the API that is ready', () => {
    const proxied = [...readFile('Caddyfile').matchAll(/reverse_proxy (.*) \{/g)].map(([, targets = '']) => targets);
    expect(proxied).toEqual(['api-a:7070 api-b:7070', 'api-a:7071 api-b:7071']);
    expect(readFile('Caddyfile').match(/health_uri \/readyz/g)).toHaveLength(2);
  });
});
