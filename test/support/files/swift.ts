import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { S3mini } from 's3mini';
import type { S3Place } from '../../../src/store/blobs/s3-blob-store.ts';
import { Child } from '../process/child.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';

const servers = ['proxy', 'account', 'container', 'object'];

/** Whether Debian's Swift is installed: the packages swift-proxy, swift-account, swift-container and swift-object. */
export const isSwiftInstalled = servers.every((name) => existsSync(`/usr/bin/swift-${name}-server`));

const script = fileURLToPath(new URL('./swift-server.py', import.meta.url));
const keys = { accessKeyId: 'test:tester', secretAccessKey: 'testing', region: 'us-east-1' };

/** A third-party S3-compatible store that checks signatures. */
export class SwiftServer {
  readonly endpoint: string;
  readonly #child: Child;
  readonly #folder: string;

  private constructor(endpoint: string, child: Child, folder: string) {
    this.endpoint = endpoint;
    this.#child = child;
    this.#folder = folder;
  }

  static async start(): Promise<SwiftServer> {
    const folder = createFolder('swift');
    const child = await Child.start('/usr/bin/python3', [script, folder], { env: { PATH: '/usr/bin:/bin' }, cwd: folder });
    const { text } = await child.waitForLine((line) => line.text.startsWith('ready '));
    return new SwiftServer(`http://127.0.0.1:${text.slice('ready '.length)}`, child, folder);
  }

  /** A new bucket, as configured for the blob store. */
  async createBucket(bucket: string): Promise<S3Place> {
    const isMade = await new S3mini({ ...keys, endpoint: `${this.endpoint}/${bucket}` }).createBucket();
    if (!isMade) throw new Error(`the bucket ${bucket} was not made`);
    return { ...keys, endpoint: this.endpoint, bucket, prefix: 'instance' };
  }

  /** Every key of a bucket, and the keys of pending uploads. */
  async list(bucket: string): Promise<string[]> {
    const client = new S3mini({ ...keys, endpoint: `${this.endpoint}/${bucket}` });
    const objects = (await client.listObjects('/', '')) ?? [];
    const uploads = await client.listMultipartUploads();
    const pending = [...JSON.stringify(uploads).matchAll(/"Key":"([^"]*)"/g)].map(([, key]) => `pending ${key}`);
    return [...objects.map(({ Key }) => Key), ...pending];
  }

  async end(): Promise<void> {
    this.#child.signal('SIGKILL');
    await this.#child.ended;
    removeFolder(this.#folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
