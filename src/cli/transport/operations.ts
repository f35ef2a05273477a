import { z } from 'zod';
import { app, appSecret, brand, identity, key, keyLimits, member, securityEvent, team } from './account-objects.ts';
import {
  budget,
  notificationSettings,
  policy,
  recipe,
  runningLimit,
  schedule,
  scheduleRun,
  trigger,
  triggerEvent,
} from './automation-objects.ts';
import { accountArchive, managedAccount, managedDetail, modelKey, modelTest, profileModels, worker } from './instance-objects.ts';
import { adminRead, adminWrite, pageOf, read, rest, write } from './operation.ts';
import { comment, inboxItem } from './people-objects.ts';
import { delivery, keptEvent, listener, sampleAnswer, webhook } from './webhook-objects.ts';

const [id, created_at] = [z.string(), z.number()];

const task = { id, status: z.string(), title: z.string(), created_at, updated_at: z.number() };
const artifact = { filename: z.string(), file_type: z.string(), url: z.string().optional() };
const project = { id, name: z.string(), created_at };
const agent = z.looseObject({ id, task_id: id, nickname: z.string(), about: z.string() });
const bot = z.looseObject({ platform: z.string(), name: z.string(), url: z.string().nullable() });
const chat = { id, platform: z.string(), title: z.string(), problem: z.string().nullable() };
const skill = { id, name: z.string(), description: z.string(), owner_type: z.string() };
const memoryFile = {
  path: z.string(),
  bytes: z.number(),
  version: z.number(),
  updated_at: z.number(),
  task_id: z.string().optional(),
  author: z.string(),
  is_tainted: z.boolean(),
};
const named = { id, name: z.string(), url: z.string(), tools: z.array(z.string()), status: z.string() };
const connector = { ...named, problem: z.string().nullable() };
const oneConnector = { connector: z.looseObject(connector) };
const apiOperation = { name: z.string(), method: z.string(), path: z.string(), summary: z.string() };
const listedOperation = z.looseObject({ ...apiOperation, problem: z.string().nullable() });
const api = { base_url: z.string().nullable(), operations: z.array(listedOperation) };
const credits = z.looseObject({
  total_credits: z.number(),
  refresh_credits: z.number(),
  periodic_credits: z.number(),
  event_credits: z.number(),
  addon_credits: z.number(),
  free_credits: z.number(),
  /** Older services do not name it. */
  storage: z.object({ bytes: z.number(), files: z.number(), max_bytes: z.number(), max_files: z.number() }).optional(),
});
const unpackFailure = { account_id: id, task_id: id, message: z.string() };
const transaction = { title: z.string(), type: z.string(), credits: z.number(), created_at };

const content = z.looseObject({ content: z.string() });
const confirmation = z.looseObject({
  waiting_description: z.string().optional(),
  waiting_for_event_id: z.string().optional(),
  waiting_for_event_type: z.string().optional(),
  confirm_input_schema: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional(),
});

/** An event of a task, as far as commands read it. */
export const taskEvent = z.looseObject({
  id,
  type: z.string(),
  user_message: content.optional(),
  assistant_message: content.optional(),
  error_message: content.optional(),
  explanation: content.optional(),
  status_update: z
    .looseObject({ agent_status: z.string(), brief: z.string(), status_detail: confirmation.optional() })
    .optional(),
  tool_used: z.looseObject({ tool: z.string(), status: z.string(), brief: z.string() }).optional(),
  budget_warning: z.looseObject({ credits: z.number(), used: z.number() }).optional(),
  model_waiting: z.looseObject({ provider: z.string(), next_try_at: z.number() }).optional(),
  step_repeated: z.looseObject({ tool: z.string() }).optional(),
  plan_update: z.looseObject({ steps: z.array(z.looseObject({ status: z.string(), title: z.string() })) }).optional(),
  structured_output_result: z
    .looseObject({ success: z.boolean(), value: z.unknown(), error: z.string().nullable().optional() })
    .optional(),
});
export type TaskEvent = z.infer<typeof taskEvent>;

/** Every operation that commands use, by its wire name. */
export const operations = {
  'file.upload': write({ file: z.looseObject({ id }), upload_url: z.string() }),
  'task.create': write({ task_id: id, task_title: z.string(), task_url: z.string() }),
  'task.detail': read({ task: z.looseObject({ ...task, task_url: z.string() }) }),
  'task.list': read(pageOf(task)),
  'task.stop': write({}),
  'task.delete': write({ id }),
  'task.clear': write({ id }),
  'task.sendMessage': write({ task_id: id }),
  'task.listMessages': read({ messages: z.array(taskEvent), has_more: z.boolean() }),
  'task.confirmAction': write({ task_id: id, confirmed: z.boolean() }),
  'task.comment': write({ comment: z.looseObject(comment) }),
  'task.listComments': read(pageOf(comment)),
  'task.updateComment': write({ comment: z.looseObject(comment) }),
  'task.deleteComment': write({ id }),
  'task.handOver': write({ task: z.looseObject(task) }),
  'task.listAssigned': read(pageOf(task)),
  'artifact.list': read(pageOf(artifact)),
  'budget.list': read(pageOf(budget)),
  'budget.set': write({ budget: z.looseObject(budget).nullable() }),
  'brand.get': read({ brand: brand.nullable() }),
  'brand.set': write({ brand }),
  'brand.delete': write({ deleted: z.boolean() }),
  'limit.list': read({ ...pageOf(runningLimit), running: z.number(), max_running_tasks: z.number().nullable() }),
  'limit.set': write({ limit: z.looseObject({ running_tasks: z.number() }).nullable() }),
  'inbox.list': read(pageOf(inboxItem)),
  'inbox.decide': write({ decided: z.boolean() }),
  'inbox.assign': write({ id: z.string() }),
  'policy.list': read(pageOf(policy)),
  'policy.set': write({ policy: z.looseObject(policy).nullable() }),
  'notification.show': read({ settings: notificationSettings, browsers: z.number(), chats: z.number(), has_mail: z.boolean() }),
  'notification.set': write({ settings: notificationSettings }),
  'notification.try': write({ queued: z.boolean() }),
  'memory.list': read(pageOf(memoryFile)),
  'memory.read': read({ memory: z.looseObject({ ...memoryFile, content: z.string() }) }),
  'memory.write': write({ memory: z.looseObject(memoryFile) }),
  'memory.delete': write({ path: z.string(), version: z.number() }),
  'memory.versions': read(pageOf({ ...memoryFile, is_deletion: z.boolean() })),
  'memory.restore': write({ restored: z.array(z.string()) }),
  'account.create': adminWrite({ account_id: id, api_key: z.string() }),
  'account.setPassword': adminWrite({ account_id: id }),
  'account.signOut': adminWrite({ account_id: id, ended: z.number() }),
  'instance.listAccounts': read(pageOf(managedAccount)),
  'instance.accountDetail': read({ account: managedDetail }),
  'instance.updateAccount': write({ account: z.looseObject(managedAccount) }),
  'instance.listModels': read(pageOf(profileModels)),
  'instance.setModel': write({ model: z.looseObject(profileModels) }),
  'instance.testModel': write(pageOf(modelTest)),
  'model.listKeys': read(pageOf(modelKey)),
  'model.setKey': write({ model_key: z.looseObject(modelKey) }),
  'model.testKey': write(pageOf(modelTest)),
  'model.deleteKey': write({ profile: z.string() }),
  'instance.createPasswordLink': write({ url: z.string(), expires_at: z.number() }),
  'instance.removeTwoStep': write({ account_id: id, is_mailed: z.boolean() }),
  'instance.deleteAccount': write({ account_id: id, status: z.string() }),
  'instance.exportAccount': write({ account_id: id, url: z.string() }),
  'instance.listEvents': read(pageOf(securityEvent)),
  'instance.listWorkers': read(pageOf(worker)),
  'instance.drainWorker': write({ worker: z.looseObject(worker) }),
  'instance.undrainWorker': write({ worker: z.looseObject(worker) }),
  'instance.revokeKey': write({ key_id: id }),
  'operator.readTrace': adminRead({ spans: z.array(z.looseObject({})), ...rest }),
  'operator.resealSecrets': adminWrite({ resealed: z.number(), unreadable: z.array(z.string()), ...rest }),
  'operator.unpackWorkspaces': adminWrite({ unpacked: z.number(), failed: z.array(z.looseObject(unpackFailure)), ...rest }),
  'operator.exportAccount': adminWrite({ archive: accountArchive }),
  'operator.importAccount': adminWrite({ archive: accountArchive }),
  'operator.createKey': adminWrite({ api_key: z.string(), key: z.looseObject(key) }),
  'operator.listKeys': adminRead(pageOf({ ...key, tail: z.string(), last_used_at: z.number().nullable() })),
  'operator.revokeKey': adminWrite({ key_id: id }),
  'key.revoke': adminWrite({ key_id: id }),
  'usage.availableCredits': read({ data: credits }),
  'usage.list': read(pageOf(transaction)),
  'credits.grant': adminWrite({ credits: z.number() }),
  'key.create': adminWrite({ api_key: z.string(), key: z.looseObject(key) }),
  'key.list': adminRead(pageOf({ ...key, ...keyLimits, tail: z.string(), last_used_at: z.number().nullable() })),
  'audit.list': adminRead(pageOf(securityEvent)),
  'team.create': adminWrite({ team: z.looseObject(team) }),
  'team.invite': adminWrite({ token: z.string(), email: z.string(), expires_at: z.number(), makes_account: z.boolean() }),
  'team.accept': adminWrite({ team: z.string(), account_id: id, role: z.string() }),
  'team.list': adminRead(pageOf(team)),
  'team.members': adminRead(pageOf(member)),
  'team.remove': adminWrite({ account_id: id }),
  'team.setRole': adminWrite({ account_id: id }),
  'team.switch': adminWrite({ account_id: id, team: z.string() }),
  'app.create': adminWrite({ client_id: id, client_secret: z.string().optional() }),
  'app.list': adminRead(pageOf(app)),
  'app.show': adminRead({ app: z.looseObject(app), secrets: z.array(appSecret) }),
  'app.update': adminWrite({ app: z.looseObject(app) }),
  'app.delete': adminWrite({ client_id: id }),
  'app.addSecret': adminWrite({ client_secret: z.string(), secret: appSecret }),
  'app.revokeSecret': adminWrite({ secret_id: id }),
  'project.create': write({ project: z.looseObject(project) }),
  'project.list': read(pageOf({ ...project, setup: z.looseObject({ status: z.string() }).optional() })),
  'project.update': write({ project: z.looseObject(project) }),
  'schedule.create': write({ schedule: z.looseObject(schedule) }),
  'schedule.list': read(pageOf(schedule)),
  'schedule.detail': read({ schedule: z.looseObject({ ...schedule, next_runs: z.array(z.number()) }) }),
  'schedule.update': write({ schedule: z.looseObject(schedule) }),
  'schedule.delete': write({}),
  'schedule.runNow': write({ task_id: id }),
  'schedule.runs': read(pageOf(scheduleRun)),
  'agent.detail': read({ agent }),
  'agent.update': write({ agent }),
  'skill.list': read(pageOf(skill)),
  'skill.create': write({ skill: z.looseObject(skill) }),
  'skill.delete': write({ id }),
  'connector.list': read(pageOf(connector)),
  'connector.create': write(oneConnector),
  'connector.createApi': write(oneConnector),
  'connector.readApi': write(api),
  'connector.createCommand': adminWrite(oneConnector),
  'connector.check': write(oneConnector),
  'connector.delete': write({ id }),
  'identity.list': adminRead(pageOf(identity)),
  'identity.link': adminWrite({ issuer: z.string() }),
  'identity.unlink': adminWrite({ issuer: z.string() }),
  'bridge.link': adminWrite({ code: z.string(), bots: z.array(bot) }),
  'bridge.list': adminRead(pageOf(chat)),
  'bridge.unlink': adminWrite({ id }),
  'webhook.list': read(pageOf(webhook)),
  'webhook.trigger': write({ data: z.array(sampleAnswer) }),
  'webhook.delete': write({}),
  'webhook.listen': write({ listener }),
  'webhook.pull': write({ data: z.array(z.looseObject(keptEvent)) }),
  'webhook.deliveries': adminRead(pageOf(delivery)),
  'webhook.resend': adminWrite({ resent: z.number() }),
  'webhook.enable': adminWrite({ webhook: z.looseObject(webhook) }),
  'webhook.rotateKeys': adminWrite({ standard_webhooks_public_key: z.string() }),
  'recipe.list': read(pageOf(recipe)),
  'recipe.create': write({ recipe: z.looseObject(recipe) }),
  'recipe.update': write({ recipe: z.looseObject(recipe) }),
  'recipe.run': write({ task_id: id }),
  'recipe.delete': write({ id }),
  'trigger.create': write({ trigger: z.looseObject(trigger) }),
  'trigger.list': read(pageOf(trigger)),
  'trigger.detail': read({ trigger: z.looseObject(trigger) }),
  'trigger.update': write({ trigger: z.looseObject(trigger) }),
  'trigger.delete': write({ id }),
  'trigger.events': read(pageOf(triggerEvent)),
  'trigger.replay': write({ task_id: id }),
  'trigger.try': write({ task_id: id }),
  'webhook.rotateSecret': write({ webhook: z.looseObject({ secret: z.string() }) }),
} as const;

export type OperationName = keyof typeof operations;
export type ResultOf<Name extends OperationName> = z.infer<(typeof operations)[Name]['result']>;
