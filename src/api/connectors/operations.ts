import type { Operation } from '../contract/operation.ts';
import { browserOnlineList } from './browser.onlineList.ts';
import { connectorCheck } from './connector.check.ts';
import { connectorCreate } from './connector.create.ts';
import { connectorCreateCommand } from './connector.createCommand.ts';
import { connectorDelete } from './connector.delete.ts';
import { connectorList } from './connector.list.ts';
import { connectorSignIn } from './connector.signIn.ts';

export const connectorOperations: readonly Operation[] = [
  connectorList,
  connectorCreate,
  connectorCheck,
  connectorDelete,
  browserOnlineList,
  connectorCreateCommand,
  connectorSignIn,
];
