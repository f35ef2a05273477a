import { resolve } from 'node:path';
import { readBlobPlace } from '../../config/blob-settings.ts';
import type { Config } from '../../config/config.ts';
import { WrongValue } from '../../config/setting.ts';
import { BackupProblem } from '../../store/backup/backup-problem.ts';
import type { BackupTarget } from '../../store/backup/backup-target.ts';
import { FolderTarget } from '../../store/backup/folder-target.ts';

/** Splits `s3://bucket/prefix?endpoint=…` into the prefix and the rest, in the form of ERRAND_BLOBS. */
function splitPrefix(address: string): { prefix: string; bucket: string } {
  const [, head = '', path = '', query = ''] = /^(s3:\/\/[^/?]*)([^?]*)(.*)$/.exec(address) ?? [];
  const names = path.split('/').filter((name) => name !== '');
  return { prefix: names.map((name) => `${name}/`).join(''), bucket: head + query };
}

async function openBucket(address: string, { s3AccessKeyId, s3SecretAccessKey }: Config['secrets']): Promise<BackupTarget> {
  const { prefix, bucket } = splitPrefix(address);
  try {
    const place = readBlobPlace(bucket);
    if (place.kind !== 's3') throw new WrongValue('must be a folder or s3://bucket/prefix?endpoint=address');
    if (s3AccessKeyId === null || s3SecretAccessKey === null) {
      throw new WrongValue('needs ERRAND_S3_ACCESS_KEY_ID and ERRAND_S3_SECRET_ACCESS_KEY');
    }
    const { S3Target } = await import('../../store/backup/s3-target.ts');
    return new S3Target({ ...place, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }, prefix);
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    throw new BackupProblem(`${bucket} ${error.message}; for example s3://bucket/prefix?endpoint=https://s3.example.com`);
  }
}

/** Opens the folder or bucket with the backups that the operator names. */
export async function openBackupTarget(address: string, { secrets }: Config): Promise<BackupTarget> {
  if (address.startsWith('s3:')) return openBucket(address, secrets);
  return new FolderTarget(resolve(address));
}
