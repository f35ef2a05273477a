/** The setting of a bucket that a problem is about. */
export type BucketField = 'endpoint' | 'region' | 'name' | 'prefix' | 'access_key_id' | 'secret_access_key';

/** Why a bucket cannot be looked at, as a sentence for the owner of its trigger. */
export class BucketProblem extends Error {
  readonly field: BucketField;

  constructor(field: BucketField, message: string, cause?: unknown) {
    super(message, { cause });
    this.field = field;
  }
}

/** The settings that errors of S3 are about. */
const fieldsOf: Readonly<Record<string, BucketField>> = {
  NoSuchBucket: 'name',
  InvalidBucketName: 'name',
  InvalidAccessKeyId: 'access_key_id',
  AccessDenied: 'access_key_id',
  SignatureDoesNotMatch: 'secret_access_key',
  AuthorizationHeaderMalformed: 'region',
  PermanentRedirect: 'region',
};

const texts: Readonly<Record<number, readonly [BucketField, string]>> = {
  400: ['region', 'The storage refuses the request'],
  401: ['access_key_id', 'The storage refuses the keys'],
  403: ['access_key_id', 'The storage refuses the keys, or they do not allow this'],
  404: ['name', 'The bucket does not exist'],
  429: ['endpoint', 'The storage is asked too much'],
  503: ['endpoint', 'The storage is asked too much, or does not work at present'],
};

/** The problem that a status of the storage means; the code of its error is shown too. */
export function explainStatus(status: number, code: string | null): BucketProblem {
  const isRedirect = status >= 300 && status < 400;
  const redirect = ['region', 'The storage names another address, which is not followed: check endpoint and region'] as const;
  const [field, text] = isRedirect
    ? redirect
    : (texts[status] ?? (['endpoint', 'The storage does not list the bucket'] as const));
  const shown = code === null ? String(status) : `${status} ${code}`;
  return new BucketProblem((code !== null && fieldsOf[code]) || field, `${text} (${shown}).`);
}
