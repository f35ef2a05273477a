import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config/settings.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

function readFile(name: string): string {
  return readFileSync(path.join(checkout, name), 'utf8');
}

const dockerfile = readFile('Dockerfile');

interface ComposedService {
  build?: string;
  healthcheck?: object;
  environment: Record<string, string>;
  ports: string[];
  volumes: string[];
  tmpfs?: string[];
  security_opt?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  read_only?: boolean;
  mem_limit?: string;
  cpus?: string;
  pids_limit?: number;
}

interface Composition {
  services: Record<string, ComposedService>;
}

const { services } = parse(readFile('compose.yaml')) as Composition;
const run = promisify(execFile);

/** Needs root, and a container that lets it mount. */
const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** What a container of compose.yaml has: a user without capabilities or a way to gain them, and a file system to read. */
const confined = `set -e
mount --make-rprivate /
mount -t tmpfs -o mode=1777 tmpfs /mnt
install -d -o 1000 -g 1000 /mnt/data
mount -o remount,bind,ro /
exec setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all sh bin/errand doctor`;

describe('the files that make a container', () => {
  it('set only valid settings', () => {
    const known = new Set(Object.keys(settings));
    const { environment = {} } = services['errand'] ?? {};
    // Settings of the service; an ARG is one of its build.
    const inImage = [...dockerfile.replaceAll(/^(#|ARG).*$/gm, '').matchAll(/\b(ERRAND_\w+)=/g)].map(([, name = '']) => name);
    expect(inImage).toContain('ERRAND_DATA_DIR');
    expect(environment).toHaveProperty('ERRAND_BOOTSTRAP_PASSWORD');
    expect([...inImage, ...Object.keys(environment)].filter((name) => !known.has(name))).toEqual([]);
  });

  it('report a responding service as healthy, and a missing one as not', async () => {
    const [, health = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const [program = '', ...args] = JSON.parse(health) as string[];
    const askAt = async (port: string): Promise<number> => {
      const child = spawn(
        program,
        args.map((arg) => arg.replace(':7070/', `:${port}/`)),
        { stdio: 'ignore' },
      );
      const [code] = (await once(child, 'exit')) as [number];
      return code;
    };
    let port: string;
    {
      await using service = await ServiceProcess.start();
      ({ port } = new URL(service.url));
      expect(await askAt(port)).toBe(0);
    }
    expect(await askAt(port)).toBe(1);
  });

  it.each(Object.entries(services))('bound the service %s, and leave it nothing it does not need', (_, service) => {
    expect(service).toMatchObject({ cap_drop: ['ALL'], read_only: true });
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect([service.mem_limit, service.cpus]).toEqual([expect.stringMatching(/\d/), expect.stringMatching(/\d/)]);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect([service.privileged, service.cap_add]).toEqual([undefined, undefined]);
    expect(service.healthcheck !== undefined || (service.build === '.' && dockerfile.includes('\nHEALTHCHECK '))).toBe(true);
    // Nothing is reachable from other machines before the operator says so.
    expect(service.ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    // Memory of a tmpfs is memory of the container.
    for (const place of service.tmpfs ?? []) expect(place).toMatch(/:.*\bsize=\d+/);
  });

  // Root builds these surroundings; the sandbox itself runs as an ordinary user in them.
  it.runIf(canMount)('leave the sandbox and the browser what they need', async () => {
    const env = {
      PATH: process.env['PATH'],
      TMPDIR: '/mnt',
      ERRAND_DATA_DIR: '/mnt/data',
      ERRAND_PORT: '0',
      ERRAND_CONTENT_PORT: '0',
      ERRAND_MODEL: 'offline/offline-1',
    };
    const { stdout } = await run('unshare', ['--mount', 'bash', '-c', confined], { cwd: checkout, env });
    expect(stdout).toMatch(/^ok +sandbox /m);
    expect(stdout).toMatch(/^ok +chromium /m);
    expect(stdout).toMatch(/errand can run\.$/m);
  });
});
