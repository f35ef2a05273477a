import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { TaskRequest } from '../../../src/rules/schedules/task-request.ts';
import type { Database } from '../../../src/store/db/database.ts';
import type { TriggerSettings } from '../../../src/store/triggers/trigger-row.ts';
import { createTrigger, deleteTrigger, listTriggers } from '../../../src/store/triggers/triggers.ts';
import { createTriggerSecrets } from '../../../src/work/triggers/trigger-secrets.ts';

/** The secrets of triggers of an API under test. */
export const sampleTriggerSecrets = createTriggerSecrets(new SealedBox('the secret of an instance under test'));

export const sampleRequest: TaskRequest = {
  message: { type: 'user_message', text: 'Go', kind: 'text' },
  names: {},
  outputSchema: null,
  projectId: null,
  profile: null,
  family: 'service',
  locale: null,
  isInteractive: false,
  metadata: {},
};

function sampleSettings(triggerId: string, changes: Partial<TriggerSettings> = {}): TriggerSettings {
  return {
    type: 'http',
    name: 'A trigger',
    status: 'active',
    verification: 'none',
    sealedSecret: null,
    header: null,
    sealedToken: sampleTriggerSecrets.seal(triggerId, 'token', triggerId),
    tokenDigest: digestSecret(triggerId),
    dedupe: null,
    filter: [],
    request: sampleRequest,
    conversation: 'new',
    watched: null,
    bucket: null,
    ...changes,
  };
}

/** A trigger that anybody can send to who knows its URL, which ends with its id; the only one of its account. */
export async function addTrigger(
  database: Database,
  key: { accountId: string; triggerId: string; now: number },
  changes: Partial<TriggerSettings> = {},
): Promise<void> {
  for (const { id } of await database.run(listTriggers, { accountId: key.accountId, beforeId: null, limit: 100 })) {
    await database.run(deleteTrigger, { accountId: key.accountId, triggerId: id, now: key.now });
  }
  await addAnotherTrigger(database, key, changes);
}

/** A trigger beside the others of its account. */
export async function addAnotherTrigger(
  database: Database,
  key: { accountId: string; triggerId: string; now: number },
  changes: Partial<TriggerSettings> = {},
): Promise<void> {
  const settings = sampleSettings(key.triggerId, changes);
  await database.run(createTrigger, { ...key, settings, apiKeyId: null, oauthClientId: null });
}
