import { findGrantedConnectors, setGrantedConnectors } from './granted-connectors.ts';
import { createApp, deleteApp, findApp, listApps, updateApp } from './oauth-apps.ts';
import { mayUseApp } from './oauth-audience.ts';
import { createDevice, decideDevice, findDevice, deleteExpiredDevices, pollDevice } from './oauth-devices.ts';
import { createGrant, disconnectApp, findTokenOwner, deleteExpiredGrants, listConnectedApps } from './oauth-grants.ts';
import { createAppSecret, listAppSecrets, matchesAppSecret, revokeAppSecret } from './oauth-secrets.ts';
import { endReplayed, findSpentFor, redeemCode, refreshTokens, revokeToken } from './oauth-tokens.ts';

/** Every operation on OAuth applications and what they are granted. */
export const oauthOperations = [
  createApp,
  deleteApp,
  findApp,
  listApps,
  updateApp,
  createAppSecret,
  listAppSecrets,
  matchesAppSecret,
  revokeAppSecret,
  mayUseApp,
  createDevice,
  decideDevice,
  findDevice,
  deleteExpiredDevices,
  pollDevice,
  createGrant,
  disconnectApp,
  findGrantedConnectors,
  setGrantedConnectors,
  findTokenOwner,
  deleteExpiredGrants,
  listConnectedApps,
  redeemCode,
  refreshTokens,
  findSpentFor,
  endReplayed,
  revokeToken,
];
