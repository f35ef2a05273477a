import {
  beginAccountDeletion,
  deleteAccountRows,
  endAccountDeletion,
  endDeletionWatch,
  listAccountDeletions,
} from './account-deletion.ts';
import { listBudgets, setBudget } from './account-budgets.ts';
import { changeAccount } from './account-changes.ts';
import { findSignIn, hasPassword, setPassword } from './account-passwords.ts';
import { createAccountWithKey } from './account-with-key.ts';
import { createAccount, findAccount } from './accounts.ts';
import { createApiKey, findAccountOfKey, findKeyOwner, listApiKeys, revokeApiKey, touchApiKeys } from './api-keys.ts';
import { createFirstAccount } from './first-account.ts';
import { findPasswordless, isAnyPasswordSet, setFirstPassword } from './first-password.ts';
import { admitIdentity, isIdentityKnown, linkIdentity, listIdentities, unlinkIdentity } from './identities.ts';
import { deleteExpiredSecurityEvents, listSecurityEvents, recordSecurityEvent } from './security-events.ts';
import {
  createSession,
  endSession,
  findSession,
  deleteExpiredSessions,
  listSessions,
  signOut,
  touchSessions,
} from './sessions.ts';
import { hasModelKeys, listModelKeys, removeModelKey, saveModelKey } from './model-keys/model-keys.ts';
import { addPasskey, findPasskey, hasPasskeys, listPasskeys, passWithPasskey, removePasskey } from './passkeys/passkeys.ts';
import {
  consumePasswordLink,
  createPasswordLink,
  deleteExpiredPasswordLinks,
  findPasswordLink,
} from './recovery/password-links.ts';
import {
  beginTwoStep,
  confirmTwoStep,
  describeTwoStep,
  findUnconfirmed,
  removeTwoStep,
  renewRecoveryCodes,
} from './two-step/authenticators.ts';
import {
  createPendingSignIn,
  deleteExpiredPendingSignIns,
  findPendingSignIn,
  hasTwoStep,
  passPendingSignIn,
} from './two-step/pending-sign-ins.ts';
import { createInvitedAccount, findNewcomer } from './invited/invited-accounts.ts';
import { clearAttempts, deleteExpiredAttempts, takeAttempt } from './sign-in-attempts.ts';
import { findTaskTokenOwner } from './task-tokens.ts';
import { findInvitation, listInvitations, withdrawInvitation } from './team-invitations.ts';
import { acceptInvitation, changeRole, inviteMember, removeMember } from './team-membership.ts';
import { listTeamsOf, listUnnamedTasks, nameTasks, switchTeam } from './current-team.ts';
import { createTeam, findTeam, findTeamOf, listTeamMembers, listTeams } from './teams.ts';

/** Every operation on accounts, their keys, sessions, identities and teams. */
export const accountOperations = [
  listBudgets,
  setBudget,
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
  createApiKey,
  findKeyOwner,
  findAccountOfKey,
  listApiKeys,
  revokeApiKey,
  touchApiKeys,
  findPasswordless,
  isAnyPasswordSet,
  setFirstPassword,
  createSession,
  touchSessions,
  endSession,
  findSession,
  listSessions,
  signOut,
  deleteExpiredSessions,
  clearAttempts,
  deleteExpiredAttempts,
  takeAttempt,
  changeAccount,
  setPassword,
  findSignIn,
  createPasswordLink,
  findPasswordLink,
  consumePasswordLink,
  deleteExpiredPasswordLinks,
  describeTwoStep,
  beginTwoStep,
  findUnconfirmed,
  confirmTwoStep,
  renewRecoveryCodes,
  removeTwoStep,
  hasTwoStep,
  createPendingSignIn,
  findPendingSignIn,
  passPendingSignIn,
  deleteExpiredPendingSignIns,
  hasPasskeys,
  listPasskeys,
  addPasskey,
  removePasskey,
  findPasskey,
  passWithPasskey,
  recordSecurityEvent,
  listSecurityEvents,
  deleteExpiredSecurityEvents,
  createTeam,
  findTeam,
  findTeamOf,
  listTeamsOf,
  switchTeam,
  listUnnamedTasks,
  nameTasks,
  listTeams,
  listTeamMembers,
  findInvitation,
  listInvitations,
  withdrawInvitation,
  inviteMember,
  acceptInvitation,
  findNewcomer,
  createInvitedAccount,
  removeMember,
  changeRole,
  listModelKeys,
  hasModelKeys,
  saveModelKey,
  removeModelKey,
  beginAccountDeletion,
  listAccountDeletions,
  deleteAccountRows,
  endAccountDeletion,
  endDeletionWatch,
  findTaskTokenOwner,
];
