import type { Operation } from '../contract/operation.ts';
import { appAddSecret } from './app.addSecret.ts';
import { appCreate } from './app.create.ts';
import { appDelete } from './app.delete.ts';
import { appList } from './app.list.ts';
import { appRevokeSecret } from './app.revokeSecret.ts';
import { appShow } from './app.show.ts';
import { appUpdate } from './app.update.ts';
import { connectionDisconnect } from './connection.disconnect.ts';
import { connectionList } from './connection.list.ts';

export const oauthOperations: readonly Operation[] = [
  appCreate,
  appList,
  appShow,
  appUpdate,
  appDelete,
  appAddSecret,
  appRevokeSecret,
  connectionList,
  connectionDisconnect,
];
