import { randomBytes } from 'node:crypto';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Database } from '../db/database.ts';
import { setInstanceValue } from './instance-values.ts';

const name = 'content_key';
const keyBytes = 32;

/** The key that signs URLs of the content origin: created once, stored sealed, shared by all processes of the instance. */
export async function openContentKey(database: Database, box: SealedBox): Promise<Buffer> {
  const proposed = box.seal(randomBytes(keyBytes).toString('base64'), name);
  return Buffer.from(box.open(await database.run(setInstanceValue, { name, value: proposed }), name), 'base64');
}
