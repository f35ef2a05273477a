import type { Operation } from '../contract/operation.ts';
import { accountCreate } from './account.create.ts';
import { accountSetPassword } from './account.setPassword.ts';
import { accountSignOut } from './account.signOut.ts';
import { accountUpdate } from './account.update.ts';
import { auditList } from './audit.list.ts';
import { identityLink } from './identity.link.ts';
import { identityList } from './identity.list.ts';
import { identityUnlink } from './identity.unlink.ts';
import { keyCreate } from './key.create.ts';
import { keyList } from './key.list.ts';
import { keyRevoke } from './key.revoke.ts';
import { sessionDelete } from './session.delete.ts';
import { sessionList } from './session.list.ts';
import { sessionShow } from './session.show.ts';
import { accountPasskeyAdd } from './passkeys/account.passkeyAdd.ts';
import { accountPasskeyBegin } from './passkeys/account.passkeyBegin.ts';
import { accountPasskeyRemove } from './passkeys/account.passkeyRemove.ts';
import { accountPasskeys } from './passkeys/account.passkeys.ts';
import { accountTwoStepBegin } from './two-step/account.twoStepBegin.ts';
import { accountTwoStepCodes } from './two-step/account.twoStepCodes.ts';
import { accountTwoStepConfirm } from './two-step/account.twoStepConfirm.ts';
import { accountTwoStepDetail } from './two-step/account.twoStepDetail.ts';
import { accountTwoStepOff } from './two-step/account.twoStepOff.ts';
import { teamAccept } from './teams/team.accept.ts';
import { teamCreate } from './teams/team.create.ts';
import { teamInvitation } from './teams/team.invitation.ts';
import { teamInvitations } from './teams/team.invitations.ts';
import { teamInvite } from './teams/team.invite.ts';
import { teamList } from './teams/team.list.ts';
import { teamMembers } from './teams/team.members.ts';
import { teamRemove } from './teams/team.remove.ts';
import { teamSetRole } from './teams/team.setRole.ts';
import { teamSwitch } from './teams/team.switch.ts';
import { teamWithdraw } from './teams/team.withdraw.ts';

export const accountOperations: readonly Operation[] = [
  keyCreate,
  keyList,
  keyRevoke,
  auditList,
  teamCreate,
  teamInvite,
  teamInvitations,
  teamWithdraw,
  teamAccept,
  teamMembers,
  teamRemove,
  teamSetRole,
  teamSwitch,
  identityList,
  identityUnlink,
  accountCreate,
  accountSetPassword,
  accountSignOut,
  identityLink,
  teamList,
  sessionShow,
  sessionList,
  sessionDelete,
  accountUpdate,
  accountTwoStepDetail,
  accountTwoStepBegin,
  accountTwoStepConfirm,
  accountTwoStepCodes,
  accountTwoStepOff,
  accountPasskeys,
  accountPasskeyBegin,
  accountPasskeyAdd,
  accountPasskeyRemove,
  teamInvitation,
];
