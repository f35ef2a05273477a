import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import type { Database } from '../db/database.ts';
import { setInstanceValue } from './instance-values.ts';

const name = 'push_key';

/**
 * The key with which the service identifies itself to push services: created once, stored sealed, shared by all processes of the instance.
 * Browsers tie their subscriptions to its public half.
 */
export async function openPushKey(database: Database, box: SealedBox): Promise<KeyObject> {
  const place = sealedPlaces.instanceValue(name);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const proposed = box.seal(privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'), place);
  const stored = box.open(await database.run(setInstanceValue, { name, value: proposed }), place);
  return createPrivateKey({ key: Buffer.from(stored, 'base64'), type: 'pkcs8', format: 'der' });
}
