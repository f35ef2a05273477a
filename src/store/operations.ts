import { createAccountWithKey } from './account-with-key.ts';
import { changeAccount } from './account-changes.ts';
import { findSignIn, hasPassword, setPassword } from './account-passwords.ts';
import { listArtifacts } from './artifact-list.ts';
import { findArchived } from './archived-artifacts.ts';
import { getArtifact, updateArtifact } from './artifacts.ts';
import { createAccount, findAccount } from './accounts.ts';
import { getAgent, listAgents, prepareAgents, updateAgent } from './agents.ts';
import { createApiKey, findKeyOwner, listApiKeys, revokeApiKey, touchApiKeys } from './api-keys.ts';
import { clearAttempts, forgetAttempts, takeAttempt } from './attempts.ts';
import { expectBlob, forgetBlobs, isBlobNeeded, takeUnneededBlobs } from './blob-rows.ts';
import { claimTasks, findStarvedAccount } from './claims.ts';
import { bridgeOperations } from './bridge-operations.ts';
import type { Operation } from './db/operation.ts';
import { claimDeliveries, expireDeliveryLeases } from './delivery-claims.ts';
import { forgetDeliveries, getDelivery, listDeliveries, resendDelivery, resendMissed } from './delivery-log.ts';
import { recordOutcomes } from './delivery-outcomes.ts';
import { readLog, readShown } from './events.ts';
import { changeCredits, findUnsettled, readBalance, settleCredits } from './credits.ts';
import { readQueueState } from './queue-state.ts';
import { confirmAction } from './confirmations.ts';
import { keepSignIn } from './connector-sign-ins.ts';
import { createConnector, deleteConnector, getConnector, listConnectors, noteCheck } from './connectors.ts';
import { createFirstAccount } from './first-account.ts';
import { findPasswordless, setFirstPassword } from './first-password.ts';
import { completeUpload, createFile, deleteFile, expireFiles, getFile, listRecentFiles, prepareUpload } from './files.ts';
import { findGrantedConnectors, setGrantedConnectors } from './granted-connectors.ts';
import { forgetKeys } from './idempotency.ts';
import { admitIdentity, isIdentityKnown, linkIdentity, listIdentities, unlinkIdentity } from './identities.ts';
import { findFact, keepFact, nameInstance, noteAddresses } from './instance.ts';
import { appendEvents, expireAllLeases, readLease, releaseLeases, renewLeases } from './leases.ts';
import { findMissingTasks } from './missing-tasks.ts';
import { createApp, deleteApp, findApp, listApps, updateApp } from './oauth-apps.ts';
import { mayUseApp } from './oauth-audience.ts';
import { createDevice, decideDevice, findDevice, forgetDevices, pollDevice } from './oauth-devices.ts';
import { createGrant, disconnectApp, findTokenOwner, forgetGrants, listConnectedApps } from './oauth-grants.ts';
import { createAppSecret, listAppSecrets, matchesAppSecret, revokeAppSecret } from './oauth-secrets.ts';
import { redeemCode, refreshTokens, revokeToken } from './oauth-tokens.ts';
import { createSession, endSession, findSession, forgetSessions, listSessions, signOut, touchSessions } from './sessions.ts';
import { createProject, getProject, listProjects, updateProject } from './projects.ts';
import { forgetRates, leaseRate, returnRate } from './rate-limits.ts';
import { forgetSecurityEvents, listSecurityEvents, recordSecurityEvent } from './security-events.ts';
import { findSharedTask, findTaskOfShare } from './shared-tasks.ts';
import { deleteSkill, keepSkill, listSkills, loadSkill } from './skills.ts';
import { addSigningKey, readSigningKeys } from './signing-keys.ts';
import { subtaskOperations } from './subtasks.ts';
import { listTasks } from './task-list.ts';
import { searchTasks } from './task-search.ts';
import { readTaskSituation } from './task-situation.ts';
import { updateTask } from './task-update.ts';
import { beginTraversal, forgetTraversals, turnPage } from './traversals.ts';
import { createTask, deleteTask, getReadableTask, getTask, messageTask, stopTask } from './tasks.ts';
import { readTaskStory } from './task-story.ts';
import { claimDueSites, findPublicSite, findSignedSite, recordPublication } from './website-pages.ts';
import { getReadableWebsite, getWebsite, listCheckpoints, publishWebsite, updateWebsite } from './websites.ts';
import { claimDueCovers, recordCover } from './covers.ts';
import { findInvitation, listInvitations, withdrawInvitation } from './team-invitations.ts';
import { acceptInvitation, changeRole, inviteMember, removeMember } from './team-membership.ts';
import { createTeam, findTeam, findTeamOf, listTeamMembers, listTeams } from './teams.ts';
import { readMemberUsage, readTeamDays } from './team-usage.ts';
import { listUsage } from './usage.ts';
import { findWorkspaceSave, recordWorkspaceSave } from './workspace-saves.ts';
import { createWebhook, deleteWebhook, enableWebhook, listWebhooks } from './webhooks.ts';

const operations = [
  getReadableWebsite,
  getWebsite,
  listCheckpoints,
  publishWebsite,
  updateWebsite,
  findPublicSite,
  findSignedSite,
  claimDueSites,
  claimDueCovers,
  recordCover,
  recordPublication,
  listArtifacts,
  getArtifact,
  updateArtifact,
  findArchived,
  beginTraversal,
  turnPage,
  forgetTraversals,
  createAccount,
  createFirstAccount,
  createAccountWithKey,
  findAccount,
  hasPassword,
  admitIdentity,
  isIdentityKnown,
  listIdentities,
  unlinkIdentity,
  linkIdentity,
  getAgent,
  listAgents,
  prepareAgents,
  updateAgent,
  createConnector,
  keepSignIn,
  deleteConnector,
  getConnector,
  listConnectors,
  noteCheck,
  deleteSkill,
  keepSkill,
  listSkills,
  loadSkill,
  createProject,
  getProject,
  listProjects,
  updateProject,
  createApiKey,
  findKeyOwner,
  listApiKeys,
  revokeApiKey,
  touchApiKeys,
  claimTasks,
  findStarvedAccount,
  readLog,
  readShown,
  appendEvents,
  expireAllLeases,
  readLease,
  releaseLeases,
  renewLeases,
  forgetKeys,
  keepFact,
  nameInstance,
  noteAddresses,
  expectBlob,
  forgetBlobs,
  takeUnneededBlobs,
  isBlobNeeded,
  completeUpload,
  createFile,
  deleteFile,
  expireFiles,
  getFile,
  listRecentFiles,
  prepareUpload,
  findMissingTasks,
  readTaskStory,
  ...subtaskOperations,
  listTasks,
  searchTasks,
  readTaskSituation,
  createTask,
  deleteTask,
  getTask,
  getReadableTask,
  findSharedTask,
  findTaskOfShare,
  findTaskOfShare,
  messageTask,
  stopTask,
  updateTask,
  findWorkspaceSave,
  recordWorkspaceSave,
  confirmAction,
  createWebhook,
  deleteWebhook,
  enableWebhook,
  listWebhooks,
  claimDeliveries,
  expireDeliveryLeases,
  recordOutcomes,
  forgetDeliveries,
  getDelivery,
  listDeliveries,
  resendDelivery,
  resendMissed,
  addSigningKey,
  readSigningKeys,
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
  forgetDevices,
  pollDevice,
  findPasswordless,
  setFirstPassword,
  createGrant,
  disconnectApp,
  findGrantedConnectors,
  setGrantedConnectors,
  findTokenOwner,
  forgetGrants,
  listConnectedApps,
  redeemCode,
  refreshTokens,
  revokeToken,
  createSession,
  touchSessions,
  endSession,
  findSession,
  listSessions,
  signOut,
  forgetSessions,
  leaseRate,
  returnRate,
  forgetRates,
  clearAttempts,
  forgetAttempts,
  takeAttempt,
  changeAccount,
  setPassword,
  findSignIn,
  recordSecurityEvent,
  listSecurityEvents,
  forgetSecurityEvents,
  createTeam,
  findTeam,
  findTeamOf,
  listTeams,
  listTeamMembers,
  findInvitation,
  listInvitations,
  withdrawInvitation,
  inviteMember,
  acceptInvitation,
  removeMember,
  changeRole,
  changeCredits,
  findUnsettled,
  readBalance,
  readQueueState,
  settleCredits,
  listUsage,
  readMemberUsage,
  readTeamDays,
  findFact,
  ...bridgeOperations,
];

/** Every operation by its name, which is how the database thread is asked for one. */
export const operationTable: ReadonlyMap<string, Operation<unknown, unknown>> = new Map(
  operations.map((operation) => [operation.name, operation as Operation<unknown, unknown>]),
);
