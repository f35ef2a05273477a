import { z } from 'zod';
import { taskStatuses } from '../../rules/events/task-event.ts';
import { splitModelNames } from '../../rules/instance/model-tuning.ts';
import { listApiKeys } from '../../store/accounts/api-keys.ts';
import { listModelKeys } from '../../store/accounts/model-keys/model-keys.ts';
import { countAccountTasks } from '../../store/instance/managed-accounts.ts';
import { hasTwoStep } from '../../store/accounts/two-step/pending-sign-ins.ts';
import { readStorageUse } from '../../store/blobs/storage-use.ts';
import { keyObject, presentKey } from '../accounts/key-object.ts';
import { defineOperation } from '../contract/operation.ts';
import { availableCreditsFields, readCreditsOf } from '../credits/available-credits-fields.ts';
import { presentStorage, storageFields } from '../credits/storage-fields.ts';
import { nameProfile } from '../tasks/agent-profile.ts';
import {
  accountReference,
  hasTwoStepField,
  managedAccountObject,
  presentManaged,
  readManaged,
} from './managed-account-object.ts';

const taskCounts = Object.fromEntries(taskStatuses.map((status) => [status, z.int()])) as Record<
  (typeof taskStatuses)[number],
  z.ZodInt
>;

const packedWorkspaces = z
  .object({
    count: z.int(),
    bytes: z.int().meta({ description: 'Bytes of their archives; part of `storage`.' }),
  })
  .meta({
    id: 'PackedWorkspaces',
    description: 'Workspaces of quiet tasks that are stored as archives, until their tasks resume.',
  });

export const instanceAccountDetail = defineOperation('GET', 'instance.accountDetail', {
  summary: 'Returns an account with its credits, what it stores, its tasks by state, and its keys without secrets.',
  access: 'instance',
  request: z.object({ account_id: accountReference }),
  response: z.object({
    account: z
      .object({
        ...managedAccountObject.shape,
        usage: z.object(availableCreditsFields),
        storage: storageFields,
        packed_workspaces: packedWorkspaces,
        has_two_step: hasTwoStepField,
        tasks: z.object(taskCounts).meta({ description: 'How many tasks are in each state.' }),
        keys: z.array(keyObject),
        own_models: z
          .array(z.object({ profile: z.string(), models: z.array(z.string()) }))
          .meta({ description: 'The models that its tasks use with keys of its own.' }),
      })
      .meta({ id: 'ManagedAccountDetail' }),
  }),
  async handle({ account_id }, context) {
    const account = await readManaged(account_id, context);
    const { accountId } = account;
    const { read, storageLimit } = context;
    const [counts, keys, storage, usage, isTwoStep, own] = await Promise.all([
      read(countAccountTasks, accountId),
      read(listApiKeys, accountId),
      read(readStorageUse, { accountId }),
      readCreditsOf(accountId, context),
      read(hasTwoStep, { accountId }),
      read(listModelKeys, { accountId }),
    ]);
    const tasks = { running: 0, waiting: 0, stopped: 0, error: 0, ...counts };
    const { bytes, files: count } = storage.packed;
    const more = { usage, storage: presentStorage(storage, storageLimit), has_two_step: isTwoStep };
    const own_models = own.map(({ profile, models }) => ({
      profile: nameProfile(profile, context.family),
      models: splitModelNames(models),
    }));
    const listed = { packed_workspaces: { count, bytes }, tasks, keys: keys.map(presentKey), own_models };
    return { account: { ...presentManaged(account), ...more, ...listed } };
  },
});
