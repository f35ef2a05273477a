import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { readSettingsFile } from './settings-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'errand-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

function store(text: string): string {
  const place = join(folder, 'errand.conf');
  writeFileSync(place, text);
  return place;
}

describe('the settings file', () => {
  it('gives what the environment does not set, with comments and quotes', async () => {
    const place = store('# Ports\nERRAND_PORT=8080\nERRAND_HOST="0.0.0.0" # all\n\nERRAND_LOG=warn\r\nOPENAI_API_KEY=\'a b\'\n');
    const env = await readSettingsFile({ ERRAND_CONFIG: place, ERRAND_LOG: 'debug', ERRAND_HOST: '' });
    const { port, host, logLevel, warnings } = readConfig(env);
    expect({ port, host, logLevel, warnings }).toEqual({ port: 8080, host: '0.0.0.0', logLevel: 'debug', warnings: [] });
    expect(env.OPENAI_API_KEY).toBe('a b');
  });

  it('is refused by its line if it sets nothing there, and by its name if it cannot be read', async () => {
    const place = store('ERRAND_PORT=1\n\nerrand port 2\n');
    await expect(readSettingsFile({ ERRAND_CONFIG: place })).rejects.toThrow(`ERRAND_CONFIG: line 3 of ${place} is neither`);
    const missing = join(folder, 'missing');
    await expect(readSettingsFile({ ERRAND_CONFIG: missing })).rejects.toThrow(`${missing} cannot be read (ENOENT)`);
  });

  it('may have values of several lines in quotes', async () => {
    const env = await readSettingsFile({ ERRAND_CONFIG: store('A="one\ntwo"\nERRAND_PORT=81\n') });
    expect([env.A, env.ERRAND_PORT]).toEqual(['one\ntwo', '81']);
  });

  it('is not needed', async () => {
    expect(await readSettingsFile({ ERRAND_PORT: '1' })).toEqual({ ERRAND_PORT: '1' });
  });
});
