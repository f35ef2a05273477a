import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { openBox } from './open-sealed-box.ts';
import { ensureSecret } from './secret-file.ts';

const folders: string[] = [];

function newFolder(): string {
  const folder = createFolder('secret');
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) removeFolder(folder);
});

it('a secret is created once per folder, also for concurrent callers, and readable by its owner only', async () => {
  const folder = newFolder();
  const secrets = await Promise.all(Array.from({ length: 20 }, () => ensureSecret(folder)));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[\w-]{43}$/);
  expect(readdirSync(folder)).toEqual(['secret']);
  expect(statSync(path.join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(await ensureSecret(newFolder())).not.toBe(secrets[0]);
});

describeStores('the box of an instance', (store) => {
  const open = (secret: string | null, dataDir = newFolder(), isShared = false) =>
    openBox(store.database, { secret, dataDir, isShared });

  it('opens what any process with the same secret has sealed', async () => {
    const [first, second] = [await open('the same text for all'), await open('the same text for all')];
    expect(second?.open(first?.seal('token', 'p') ?? '', 'p')).toBe('token');
  });

  it('is stored in the data folder without ERRAND_SECRET, and can be moved to it', async () => {
    const folder = newFolder();
    const sealed = (await open(null, folder))?.seal('token', 'p') ?? '';
    expect((await open(null, folder))?.open(sealed, 'p')).toBe('token');
    const text = readFileSync(path.join(folder, 'secret'), 'utf8').trim();
    expect((await open(text))?.open(sealed, 'p')).toBe('token');
  });

  it('is rejected with another secret, in one line that names the setting and the remedy', async () => {
    await open('the first secret');
    await expect(open('another secret')).rejects.toMatchObject({
      name: 'StartFault',
      message: expect.stringMatching(/^ERRAND_SECRET: .*set it to/) as unknown,
    });
    await expect(open(null)).rejects.toMatchObject({ message: expect.stringMatching(/^ERRAND_SECRET: /) as unknown });
  });

  it('is missing, not rejected, for a process without a secret on a shared database', async () => {
    expect(await open(null, newFolder(), true)).not.toBeNull();
    expect(await open(null, newFolder(), true)).toBeNull();
    await expect(open('another secret', newFolder(), true)).rejects.toMatchObject({ name: 'StartFault' });
  });

  it('is rejected if the folder is unusable', async () => {
    const folder = newFolder();
    await expect(open(null, path.join(folder, 'secret', '\0'))).rejects.toMatchObject({
      message: expect.stringMatching(/^ERRAND_DATA_DIR: /) as unknown,
    });
  });
});
