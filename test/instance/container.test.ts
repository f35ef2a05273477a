import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config/settings.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

function readFile(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
}

const dockerfile = readFile('Dockerfile');

interface Composition {
  services: Record<string, { environment: Record<string, string>; ports: string[]; volumes: string[] }>;
}

describe('the files that make a container', () => {
  it('set only valid settings', () => {
    const known = new Set(Object.keys(settings));
    const { environment = {} } = (parse(readFile('compose.yaml')) as Composition).services['errand'] ?? {};
    const inImage = [...dockerfile.matchAll(/\b(ERRAND_\w+)=/g)].map(([, name = '']) => name);
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
});
