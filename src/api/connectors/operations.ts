import type { Operation } from '../contract/operation.ts';
import { browserOnlineList } from './browser.onlineList.ts';
import { connectorCheck } from './connector.check.ts';
import { connectorCreate } from './connector.create.ts';
import { connectorCreateApi } from './connector.createApi.ts';
import { connectorCreateCommand } from './connector.createCommand.ts';
import { connectorDelete } from './connector.delete.ts';
import { connectorList } from './connector.list.ts';
import { connectorReadApi } from './connector.readApi.ts';
import { connectorSignIn } from './connector.signIn.ts';

export const connectorOperations: readonly Operation[] = [
  connectorList,
  connectorCreate,
  connectorReadApi,
  connectorCreateApi,
  connectorCheck,
  connectorDelete,
  browserOnlineList,
  connectorCreateCommand,
  connectorSignIn,
];
