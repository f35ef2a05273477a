import type { Operation } from '../contract/operation.ts';
import { instanceExportAccount } from './archives/instance.exportAccount.ts';
import { operatorReadTrace } from './traces/operator.readTrace.ts';
import { operatorExportAccount } from './archives/operator.exportAccount.ts';
import { operatorImportAccount } from './archives/operator.importAccount.ts';
import { instanceAccountDetail } from './instance.accountDetail.ts';
import { instanceCreateAccount } from './instance.createAccount.ts';
import { instanceCreatePasswordLink } from './instance.createPasswordLink.ts';
import { instanceCreateKey } from './instance.createKey.ts';
import { instanceDeleteAccount } from './instance.deleteAccount.ts';
import { instanceDrainWorker } from './instance.drainWorker.ts';
import { instanceFindLocalModel } from './models/instance.findLocalModel.ts';
import { instanceHealthOperation } from './instance.health.ts';
import { instanceListAccounts } from './instance.listAccounts.ts';
import { instanceListDeliveries } from './instance.listDeliveries.ts';
import { instanceListEvents } from './instance.listEvents.ts';
import { instanceListModels } from './models/instance.listModels.ts';
import { instanceListQueues } from './instance.listQueues.ts';
import { instanceListTasks } from './instance.listTasks.ts';
import { instanceListWorkers } from './instance.listWorkers.ts';
import { instanceRemoveTwoStep } from './instance.removeTwoStep.ts';
import { instanceRevokeKey } from './instance.revokeKey.ts';
import { instanceSetModel } from './models/instance.setModel.ts';
import { instanceTestModel } from './models/instance.testModel.ts';
import { instanceUndrainWorker } from './instance.undrainWorker.ts';
import { instanceUpdateAccount } from './instance.updateAccount.ts';
import { modelDeleteKey } from './models/model.deleteKey.ts';
import { modelListKeys } from './models/model.listKeys.ts';
import { modelSetKey } from './models/model.setKey.ts';
import { modelTestKey } from './models/model.testKey.ts';
import { operatorCreateKey } from './operator.createKey.ts';
import { operatorListKeys } from './operator.listKeys.ts';
import { operatorResealSecrets } from './operator.resealSecrets.ts';
import { operatorRevokeKey } from './operator.revokeKey.ts';
import { operatorUnpackWorkspaces } from './operator.unpackWorkspaces.ts';

export const instanceOperations: readonly Operation[] = [
  instanceCreateAccount,
  instanceListAccounts,
  instanceAccountDetail,
  instanceUpdateAccount,
  instanceDeleteAccount,
  instanceExportAccount,
  instanceCreateKey,
  instanceCreatePasswordLink,
  instanceRemoveTwoStep,
  instanceRevokeKey,
  instanceListTasks,
  instanceListQueues,
  instanceListWorkers,
  instanceDrainWorker,
  instanceUndrainWorker,
  instanceHealthOperation,
  instanceListDeliveries,
  instanceListEvents,
  instanceListModels,
  instanceFindLocalModel,
  instanceSetModel,
  instanceTestModel,
  modelListKeys,
  modelSetKey,
  modelTestKey,
  modelDeleteKey,
  operatorCreateKey,
  operatorListKeys,
  operatorRevokeKey,
  operatorResealSecrets,
  operatorUnpackWorkspaces,
  operatorReadTrace,
  operatorExportAccount,
  operatorImportAccount,
];
