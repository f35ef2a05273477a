import type { Readable } from 'node:stream';
import { type S3Bucket, S3Objects } from '../blobs/s3-objects.ts';
import { backupsKey, type BackupTarget } from './backup-target.ts';

/** Backups in a bucket, below a prefix. */
export class S3Target implements BackupTarget {
  readonly name: string;
  readonly #objects: S3Objects;
  readonly #prefix: string;

  /** @param prefix begins every key; '' or ends with a slash */
  constructor(bucket: S3Bucket, prefix: string) {
    this.name = `s3://${bucket.bucket}/${prefix}`;
    this.#objects = new S3Objects(bucket);
    this.#prefix = prefix;
  }

  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#objects.put(this.#prefix + key, source);
  }

  open(key: string): Promise<Readable | null> {
    return this.#objects.open(this.#prefix + key);
  }

  size(key: string): Promise<number | null> {
    return this.#objects.size(this.#prefix + key);
  }

  async listBackups(): Promise<string[]> {
    const begin = `${this.#prefix}${backupsKey}/`;
    const keys = await this.#objects.list(begin);
    return [...new Set(keys.map((key) => key.slice(begin.length).split('/')[0] ?? ''))];
  }

  async list(key: string): Promise<string[]> {
    const keys = await this.#objects.list(`${this.#prefix}${key}/`);
    return keys.map((each) => each.slice(this.#prefix.length));
  }

  remove(key: string): Promise<void> {
    return this.#objects.remove(this.#prefix + key);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#objects.list(this.#prefix)).length === 0;
  }
}
