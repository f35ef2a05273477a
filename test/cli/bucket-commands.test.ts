import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { S3Storage, storageKeys } from '../support/files/s3-storage.ts';
import { someText } from '../support/http/matchers.ts';
import { LocalService } from '../support/service/local-service.ts';

describe('commands for triggers that watch a bucket', () => {
  const cli = new CliUnderTest();
  let storage: S3Storage;
  beforeAll(async () => {
    storage = await S3Storage.start();
    await LocalService.start({ dataDir: cli.dataDir, env: { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  });
  afterAll(() => storage[Symbol.asyncDispose]());

  const create = (secret: string) => {
    const place = ['--endpoint', storage.endpoint, '--bucket', 'drop', '--prefix', 'in/', '--pattern', '*.pdf'];
    const keys = ['--access-key', storageKeys.access_key_id, '--secret-key-stdin'];
    const named = ['--name', 'Scans', '--template', 'File {{name}}', '--type', 'bucket'];
    return cli.run(['trigger', 'create', ...named, ...place, ...keys], {}, secret);
  };

  it('take the secret from standard input, print the place, and change a part of it', async () => {
    const made = await create(`${storageKeys.secret_access_key}\n`);
    expect(made).toMatchObject({ code: 0, stdout: `${storage.endpoint}/drop/in/*.pdf` });
    const { data } = (await cli.runJson(['trigger', 'list'])) as unknown as { data: { id: string; type: string }[] };
    const [shown] = data;
    const id = String(shown?.id);
    expect(shown?.type).toBe('bucket');
    const changed = await cli.run(['trigger', 'update', id, '--prefix', 'new/', '--after', 'delete']);
    expect(changed).toMatchObject({ code: 0, stdout: `${storage.endpoint}/drop/new/*.pdf` });
    expect((await cli.run(['trigger', 'show', id])).stdout).toBe(changed.stdout);
    const { trigger } = await cli.runJson(['trigger', 'show', id]);
    expect(trigger).toMatchObject({ bucket: { after: 'delete', pattern: '*.pdf' } });
    expect(JSON.stringify(trigger)).not.toContain(storageKeys.secret_access_key);
  });

  it('name what the storage refuses, and an option that lacks the other', async () => {
    expect(await create('wrong')).toMatchObject({
      code: 1,
      stderr: someText(/bucket\.secret_access_key: .*SignatureDoesNotMatch/),
    });
    const half = ['--name', 'Scans', '--template', 'x', '--type', 'bucket', '--bucket', 'drop', '--access-key', 'a'];
    expect(await cli.run(['trigger', 'create', ...half])).toMatchObject({ code: 1, stderr: someText(/--secret-key-stdin/) });
  });
});
