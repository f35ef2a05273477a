import { randomBase62 } from '@errand/base/ids.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { createToken } from '../../api/triggers/trigger-verification.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';

interface StoredTrigger {
  id: string;
  verification: string;
  /** Type of the trigger; missing in archives from before mail triggers. */
  type?: string;
  /** When its folder or bucket is due for a look; missing in archives from before folder triggers. */
  look_at?: number | null;
}

/** Starts watching folders and buckets at the time of the import: files that exist by then start nothing. */
function beginLooks({ look_at: lookAt }: StoredTrigger, now: number) {
  return typeof lookAt === 'number' ? { look_at: now, seen_at: now, seen_name: '', watch_problem: null } : {};
}

/**
 * The row of a trigger, as JSON, with new secrets, because the archive contains none. Its owner looks them up or replaces them. Throws
 * `SyntaxError` or `TypeError` for a damaged row.
 * @param now the time of the import, in milliseconds
 */
export function renewTrigger(line: string, box: Pick<SealedBox, 'seal'>, now: number): string {
  const trigger = JSON.parse(line) as StoredTrigger;
  const { id, verification, type } = trigger;
  const [token, secret] = [createToken(type === 'email' || type === 'folder' ? type : 'http'), randomBase62(43)];
  return JSON.stringify({
    ...trigger,
    ...beginLooks(trigger, now),
    token: box.seal(token, sealedPlaces.trigger(id, 'token')),
    token_digest: digestSecret(token),
    secret: verification === 'none' ? null : box.seal(secret, sealedPlaces.trigger(id, 'secret')),
  });
}
