import { accountCreate } from './admin/account.create.ts';
import { accountSetPassword } from './admin/account.setPassword.ts';
import { auditList } from './admin/audit.list.ts';
import { appAddSecret } from './admin/app.addSecret.ts';
import { appCreate } from './admin/app.create.ts';
import { appDelete } from './admin/app.delete.ts';
import { appList } from './admin/app.list.ts';
import { appRevokeSecret } from './admin/app.revokeSecret.ts';
import { appShow } from './admin/app.show.ts';
import { appUpdate } from './admin/app.update.ts';
import { creditsGrant } from './admin/credits.grant.ts';
import { keyCreate } from './admin/key.create.ts';
import { keyList } from './admin/key.list.ts';
import { keyRevoke } from './admin/key.revoke.ts';
import { teamAccept } from './admin/team.accept.ts';
import { teamCreate } from './admin/team.create.ts';
import { teamInvite } from './admin/team.invite.ts';
import { teamList } from './admin/team.list.ts';
import { teamMembers } from './admin/team.members.ts';
import { teamRemove } from './admin/team.remove.ts';
import { teamSetRole } from './admin/team.setRole.ts';
import { webhookDeliveries } from './admin/webhook.deliveries.ts';
import { webhookDelivery } from './admin/webhook.delivery.ts';
import { webhookEnable } from './admin/webhook.enable.ts';
import { webhookResend } from './admin/webhook.resend.ts';
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
import { artifactList } from './artifact.list.ts';
import { artifactUpdate } from './artifact.update.ts';
import type { Operation } from './operation.ts';
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

/** What only the person who runs this instance may do, over the control face. */
export const adminOperations: readonly Operation[] = [
  accountCreate,
  creditsGrant,
  keyCreate,
  keyList,
  keyRevoke,
  accountSetPassword,
  auditList,
  teamCreate,
  teamInvite,
  teamAccept,
  teamList,
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
  workspaceList,
  workspaceRead,
  webhookDeliveries,
  webhookDelivery,
  webhookEnable,
  webhookResend,
  webhookRotateKeys,
];
