import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { syncFolder, unlessMissing } from './durable-files.ts';

describe('files', () => {
  it('that do not exist are null, and any other failure is reported', async () => {
    const folder = createFolder('files');
    await writeFile(join(folder, 'present'), 'text');
    expect(await unlessMissing(readFile(join(folder, 'present'), 'utf8'))).toBe('text');
    expect(await unlessMissing(readFile(join(folder, 'missing')))).toBeNull();
    await expect(unlessMissing(readFile(folder))).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('become durable with their folder, which has to exist', async () => {
    const folder = createFolder('files');
    await expect(syncFolder(folder)).resolves.toBeUndefined();
    await expect(syncFolder(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
