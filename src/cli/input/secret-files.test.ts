import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { readConfig } from '../../config/config.ts';
import { secretNames } from '../../config/secrets.ts';
import { settings } from '../../config/settings.ts';
import { readSecretFiles } from './secret-files.ts';

const folder = createFolder('secrets');
const file = join(folder, 'secret');
afterAll(() => removeFolder(folder));

it('a secret can be read from a file, without its line ending, and never appears in errors', async () => {
  writeFileSync(file, 'thirty-two canary characters or so\n');
  const config = readConfig(await readSecretFiles({ ERRAND_SECRET_FILE: file, ERRAND_PORT: '0' }));
  expect([config.secrets.encryptionKey, config.port, config.warnings]).toEqual(['thirty-two canary characters or so', 0, []]);
  expect(await readSecretFiles({ ERRAND_SECRET_FILE: '', ERRAND_SECRET: 'x' })).toMatchObject({ ERRAND_SECRET: 'x' });
  await expect(readSecretFiles({ ERRAND_SECRET_FILE: file, ERRAND_SECRET: 'x' })).rejects.toThrow(
    /^ERRAND_SECRET_FILE: .*is set, too/,
  );
  writeFileSync(file, 'x'.repeat(64 * 1024 + 1));
  await expect(readSecretFiles({ ERRAND_SECRET_FILE: file })).rejects.toThrow(/^ERRAND_SECRET_FILE: cannot read/);
  rmSync(file);
  await expect(readSecretFiles({ ERRAND_SECRET_FILE: file })).rejects.toThrow(/^ERRAND_SECRET_FILE: cannot read .*ENOENT/);
  await expect(readSecretFiles({ ERRAND_SECRET_FILE: folder })).rejects.toThrow(/^ERRAND_SECRET_FILE: cannot read .*EISDIR/);
  writeFileSync(file, 'short canary');
  const short = await readSecretFiles({ ERRAND_SECRET_FILE: file });
  expect(() => readConfig(short)).toThrow(/^ERRAND_SECRET: must have at least 16 characters(?!.*canary)/);
});

it('every secret can be read from a file', () => {
  // Is a file already.
  const keyFile = 'ERRAND_SMTP_TLS_KEY';
  const named = Object.keys(settings).filter(
    (name) =>
      name !== keyFile &&
      /_(KEY|KEY_ID|SECRET|PASSWORD|PASSPHRASE|TOKEN)$|^ERRAND_DATABASE_(POOL_)?URL$|^ERRAND_MAIL_SERVER$|^ERRAND_SECRET_PREVIOUS$|^OTEL_EXPORTER_OTLP_HEADERS$/.test(
        name,
      ),
  );
  expect(secretNames.toSorted()).toEqual(named.toSorted());
});
