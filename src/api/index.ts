import { teamInvitations } from './account/team.invitations.ts';
import { teamWithdraw } from './account/team.withdraw.ts';
import { sessionShow } from './web/session.show.ts';
import { sessionList } from './web/session.list.ts';
import { sessionDelete } from './web/session.delete.ts';
import { accountUpdate } from './web/account.update.ts';
import { connectionList } from './web/connection.list.ts';
import { connectionDisconnect } from './web/connection.disconnect.ts';
import { connectorSignIn } from './web/connector.signIn.ts';
import { skillShow } from './web/skill.show.ts';
import { taskSearch } from './web/task.search.ts';
import { taskShow } from './web/task.show.ts';
import { taskWatch } from './web/task.watch.ts';
import { teamInvitation } from './web/team.invitation.ts';
import { shareArchive } from './web/share.archive.ts';
import { shareDetail } from './web/share.detail.ts';
import { shareListMessages } from './web/share.listMessages.ts';
import { shareStream } from './web/share.stream.ts';
import { accountCreate } from './admin/account.create.ts';
import { accountSetPassword } from './admin/account.setPassword.ts';
import { auditList } from './account/audit.list.ts';
import { appAddSecret } from './account/app.addSecret.ts';
import { appCreate } from './account/app.create.ts';
import { appDelete } from './account/app.delete.ts';
import { appList } from './account/app.list.ts';
import { appRevokeSecret } from './account/app.revokeSecret.ts';
import { appShow } from './account/app.show.ts';
import { appUpdate } from './account/app.update.ts';
import { bridgeLink } from './account/bridge.link.ts';
import { bridgeList } from './account/bridge.list.ts';
import { bridgeUnlink } from './account/bridge.unlink.ts';
import { connectorCreateCommand } from './admin/connector.createCommand.ts';
import { creditsGrant } from './admin/credits.grant.ts';
import { keyCreate } from './account/key.create.ts';
import { keyList } from './account/key.list.ts';
import { keyRevoke } from './account/key.revoke.ts';
import { teamAccept } from './account/team.accept.ts';
import { teamCreate } from './account/team.create.ts';
import { teamInvite } from './account/team.invite.ts';
import { teamList } from './admin/team.list.ts';
import { teamMembers } from './account/team.members.ts';
import { teamRemove } from './account/team.remove.ts';
import { teamSetRole } from './account/team.setRole.ts';
import { webhookDeliveries } from './account/webhook.deliveries.ts';
import { webhookDelivery } from './account/webhook.delivery.ts';
import { webhookEnable } from './account/webhook.enable.ts';
import { webhookResend } from './account/webhook.resend.ts';
import { webhookRotateKeys } from './admin/webhook.rotateKeys.ts';
import { workspaceList } from './admin/workspace.list.ts';
import { workspaceRead } from './admin/workspace.read.ts';
import { agentDetail } from './agent.detail.ts';
import { agentList } from './agent.list.ts';
import { agentUpdate } from './agent.update.ts';
import { browserOnlineList } from './browser.onlineList.ts';
import { fileDelete } from './file.delete.ts';
import { fileDetailOperation } from './file.detail.ts';
import { fileUpload } from './file.upload.ts';
import { artifactArchive } from './artifact.archive.ts';
import { artifactDetail } from './artifact.detail.ts';
import { artifactList } from './artifact.list.ts';
import { artifactUpdate } from './artifact.update.ts';
import { accountSignOut } from './admin/account.signOut.ts';
import { identityLink } from './admin/identity.link.ts';
import { identityList } from './account/identity.list.ts';
import { identityUnlink } from './account/identity.unlink.ts';
import { atWeb, type Operation } from './operation.ts';
import { connectorCheck } from './connector.check.ts';
import { connectorCreate } from './connector.create.ts';
import { connectorDelete } from './connector.delete.ts';
import { connectorList } from './connector.list.ts';
import { projectCreate } from './project.create.ts';
import { projectList } from './project.list.ts';
import { projectUpdate } from './project.update.ts';
import { skillCreate } from './skill.create.ts';
import { skillDelete } from './skill.delete.ts';
import { skillList } from './skill.list.ts';
import { taskConfirmAction } from './task.confirmAction.ts';
import { taskCreate } from './task.create.ts';
import { taskDelete } from './task.delete.ts';
import { taskDetail } from './task.detail.ts';
import { taskList } from './task.list.ts';
import { taskListMessages } from './task.listMessages.ts';
import { taskSendMessage } from './task.sendMessage.ts';
import { taskStop } from './task.stop.ts';
import { taskStream } from './task.stream.ts';
import { taskUpdate } from './task.update.ts';
import { usageAvailableCredits } from './usage.availableCredits.ts';
import { usageList } from './usage.list.ts';
import { usageTeamLog } from './usage.teamLog.ts';
import { usageTeamStatistic } from './usage.teamStatistic.ts';
import { webhookCreate } from './webhook.create.ts';
import { webhookDelete } from './webhook.delete.ts';
import { webhookList } from './webhook.list.ts';
import { webhookPublicKey } from './webhook.publicKey.ts';
import { websiteListCheckpoints } from './website.listCheckpoints.ts';
import { websitePublish } from './website.publish.ts';
import { websiteStatus } from './website.status.ts';
import { websiteUpdate } from './website.update.ts';

/** The API. Router, OpenAPI document and reference come out of this table. */
export const operations: readonly Operation[] = [
  taskCreate,
  taskDetail,
  taskList,
  taskSendMessage,
  taskListMessages,
  taskStream,
  taskStop,
  taskUpdate,
  taskDelete,
  taskConfirmAction,
  projectCreate,
  projectList,
  projectUpdate,
  agentList,
  agentDetail,
  agentUpdate,
  connectorList,
  connectorCreate,
  connectorCheck,
  connectorDelete,
  skillList,
  skillCreate,
  skillDelete,
  browserOnlineList,
  fileUpload,
  fileDetailOperation,
  fileDelete,
  artifactList,
  artifactDetail,
  artifactUpdate,
  artifactArchive,
  websiteStatus,
  websiteListCheckpoints,
  websitePublish,
  websiteUpdate,
  webhookCreate,
  webhookList,
  webhookDelete,
  webhookPublicKey,
  usageList,
  usageAvailableCredits,
  usageTeamStatistic,
  usageTeamLog,
];

/** What people set up for their own account in the web application, and the operator for any account. */
const ownOperations: readonly Operation[] = [
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
  appCreate,
  appList,
  appShow,
  appUpdate,
  appDelete,
  appAddSecret,
  appRevokeSecret,
  identityList,
  identityUnlink,
  bridgeLink,
  bridgeList,
  bridgeUnlink,
  webhookDeliveries,
  webhookDelivery,
  webhookEnable,
  webhookResend,
];

/** What is offered on the control face beside the API. */
export const adminOperations: readonly Operation[] = [
  accountCreate,
  accountSetPassword,
  accountSignOut,
  identityLink,
  connectorCreateCommand,
  creditsGrant,
  teamList,
  workspaceList,
  workspaceRead,
  webhookRotateKeys,
  ...ownOperations,
];

/** What the web application calls beside the API, with the sign-in of its user. */
export const webOperations: readonly Operation[] = [
  sessionShow,
  sessionList,
  sessionDelete,
  accountUpdate,
  connectionList,
  connectionDisconnect,
  connectorSignIn,
  skillShow,
  taskSearch,
  taskShow,
  taskWatch,
  teamInvitation,
  shareArchive,
  shareDetail,
  shareListMessages,
  shareStream,
  ...ownOperations.map(atWeb),
];
