import { invalidField } from '@errand/base/fault.ts';
import type { OptionTable } from '../../input/command-shape.ts';
import { readStorageSecret } from '../../input/standard-input.ts';
import type { Shell } from '../../shell.ts';

/** Options of triggers for the objects of a bucket. */
export const bucketOptions = {
  endpoint: { type: 'string', value: 'URL', about: "Watched bucket: URL of the storage's S3 API." },
  bucket: { type: 'string', value: 'NAME', about: 'Watched bucket: its name.' },
  region: { type: 'string', value: 'NAME', about: 'Watched bucket: its region (default us-east-1).' },
  prefix: { type: 'string', value: 'TEXT', about: 'Watched bucket: what the keys of its objects begin with.' },
  'access-key': { type: 'string', value: 'ID', about: 'Watched bucket: access key ID. Needs --secret-key-stdin.' },
  'secret-key-stdin': { type: 'boolean', about: 'Read the secret access key from standard input.' },
  after: {
    type: 'string',
    choices: ['keep', 'delete'],
    about: 'Watched bucket: whether objects stay once their tasks have started.',
  },
} as const satisfies OptionTable;

export interface ChosenBucket {
  endpoint?: string | undefined;
  bucket?: string | undefined;
  region?: string | undefined;
  prefix?: string | undefined;
  pattern?: string | undefined;
  'access-key'?: string | undefined;
  'secret-key-stdin'?: true | undefined;
  after?: 'keep' | 'delete' | undefined;
}

/** Whether an option is about a bucket; the pattern is also one of folders. */
export function namesBucket(chosen: ChosenBucket): boolean {
  return Object.keys(bucketOptions).some((name) => chosen[name as keyof typeof bucketOptions] !== undefined);
}

/** The bucket of a request; undefined if no option names one. */
export async function readBucket(options: ChosenBucket, shell: Pick<Shell, 'stdin'>) {
  if (!namesBucket(options)) return undefined;
  const { endpoint, bucket: name, region, prefix, pattern, after, 'access-key': access_key_id } = options;
  const isSecretGiven = options['secret-key-stdin'] === true;
  if ((access_key_id !== undefined) !== isSecretGiven)
    throw invalidField('--access-key', 'is needed with --secret-key-stdin, and the reverse');
  const secret_access_key = isSecretGiven ? await readStorageSecret(shell) : undefined;
  return { endpoint, region, name, prefix, pattern, access_key_id, secret_access_key, after };
}
