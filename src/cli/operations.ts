import { z } from 'zod';

/**
 * What commands ask of the service. Only what a command reads of an answer is described; the rest is passed on to `--json` as
 * it came.
 */
export interface CalledOperation<Result extends z.ZodType = z.ZodType> {
  method: 'GET' | 'POST';
  path: string;
  result: Result;
}

/** A list of objects whose other members are kept. */
function page<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({ data: z.array(z.looseObject(shape)) });
}

function read<Result extends z.ZodType>(name: string, result: Result): CalledOperation<Result> {
  return { method: 'GET', path: `/v2/${name}`, result };
}

function write<Result extends z.ZodType>(name: string, result: Result): CalledOperation<Result> {
  return { method: 'POST', path: `/v2/${name}`, result };
}

/** Operations of the person who runs the instance, which no API key may call. */
function admin<Result extends z.ZodType>(method: 'GET' | 'POST', name: string, result: Result): CalledOperation<Result> {
  return { method, path: `/admin/${name}`, result };
}

const task = { id: z.string(), status: z.string(), title: z.string(), created_at: z.number(), updated_at: z.number() };

const uploaded = { file: z.looseObject({ id: z.string() }), upload_url: z.string() };

const key = { id: z.string(), name: z.string(), created_at: z.number() };

const team = { id: z.string(), name: z.string(), member_count: z.number(), created_at: z.number() };
const app = {
  client_id: z.string(),
  name: z.string(),
  type: z.string(),
  public_client: z.boolean(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  created_at: z.number(),
};

const appSecret = z.looseObject({ id: z.string(), tail: z.string(), created_at: z.number() });

const identity = {
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  last_used_at: z.number().nullable(),
};

const project = { id: z.string(), name: z.string(), created_at: z.number() };

const agent = { id: z.string(), task_id: z.string(), nickname: z.string(), about: z.string() };

const bot = { platform: z.string(), name: z.string(), url: z.string().nullable() };

const skill = { id: z.string(), name: z.string(), description: z.string(), owner_type: z.string() };

const connector = {
  id: z.string(),
  name: z.string(),
  url: z.string(),
  tools: z.array(z.string()),
  status: z.string(),
  problem: z.string().nullable(),
};

const webhook = { id: z.string(), url: z.string(), status: z.string(), created_at: z.number() };

const delivery = {
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  status: z.string(),
  created_at: z.number(),
  attempt_count: z.number(),
  attempts: z.array(z.looseObject({ status: z.number().nullable(), error: z.string().nullable() })),
};

const credits = {
  total_credits: z.number(),
  refresh_credits: z.number(),
  periodic_credits: z.number(),
  event_credits: z.number(),
  addon_credits: z.number(),
  free_credits: z.number(),
};

export const taskEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  user_message: z.looseObject({ content: z.string() }).optional(),
  assistant_message: z.looseObject({ content: z.string() }).optional(),
  error_message: z.looseObject({ content: z.string() }).optional(),
  explanation: z.looseObject({ content: z.string() }).optional(),
  status_update: z
    .looseObject({
      agent_status: z.string(),
      brief: z.string(),
      status_detail: z
        .looseObject({
          waiting_description: z.string().optional(),
          waiting_for_event_id: z.string().optional(),
          waiting_for_event_type: z.string().optional(),
          confirm_input_schema: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
  tool_used: z.looseObject({ tool: z.string(), status: z.string(), brief: z.string() }).optional(),
  plan_update: z.looseObject({ steps: z.array(z.looseObject({ status: z.string(), title: z.string() })) }).optional(),
  structured_output_result: z
    .looseObject({ success: z.boolean(), value: z.unknown(), error: z.string().nullable().optional() })
    .optional(),
});
export type TaskEvent = z.infer<typeof taskEvent>;

export const calledOperations = {
  'file.upload': write('file.upload', z.looseObject(uploaded)),
  'task.create': write('task.create', z.looseObject({ task_id: z.string(), task_title: z.string(), task_url: z.string() })),
  'task.detail': read('task.detail', z.looseObject({ task: z.looseObject({ ...task, task_url: z.string() }) })),
  'task.list': read('task.list', page(task).extend({ has_more: z.boolean(), next_cursor: z.string().optional() })),
  'task.stop': write('task.stop', z.looseObject({})),
  'task.delete': write('task.delete', z.looseObject({ id: z.string() })),
  'task.sendMessage': write('task.sendMessage', z.looseObject({ task_id: z.string() })),
  'task.listMessages': read('task.listMessages', z.looseObject({ messages: z.array(taskEvent), has_more: z.boolean() })),
  'task.confirmAction': write('task.confirmAction', z.looseObject({ task_id: z.string(), confirmed: z.boolean() })),
  'artifact.list': read(
    'artifact.list',
    page({ filename: z.string(), file_type: z.string(), url: z.string().optional() }).extend({
      has_more: z.boolean(),
      next_cursor: z.string().optional(),
    }),
  ),
  'account.create': admin('POST', 'account.create', z.looseObject({ account_id: z.string(), api_key: z.string() })),
  'usage.availableCredits': read('usage.availableCredits', z.looseObject({ data: z.looseObject(credits) })),
  'usage.list': read(
    'usage.list',
    page({ title: z.string(), type: z.string(), credits: z.number(), created_at: z.number() }).extend({ has_more: z.boolean() }),
  ),
  'credits.grant': admin('POST', 'credits.grant', z.looseObject({ credits: z.number() })),
  'key.create': admin('POST', 'key.create', z.looseObject({ api_key: z.string(), key: z.looseObject(key) })),
  'key.list': admin('GET', 'key.list', page({ ...key, tail: z.string(), last_used_at: z.number().nullable() })),
  'key.revoke': admin('POST', 'key.revoke', z.looseObject({ key_id: z.string() })),
  'account.setPassword': admin('POST', 'account.setPassword', z.looseObject({ account_id: z.string() })),
  'audit.list': admin(
    'GET',
    'audit.list',
    page({
      kind: z.string(),
      actor: z.string(),
      detail: z.record(z.string(), z.string()),
      created_at: z.number(),
    }).extend({ has_more: z.boolean(), next_cursor: z.string().optional() }),
  ),
  'team.create': admin('POST', 'team.create', z.looseObject({ team: z.looseObject(team) })),
  'team.invite': admin('POST', 'team.invite', z.looseObject({ token: z.string(), email: z.string(), expires_at: z.number() })),
  'team.accept': admin('POST', 'team.accept', z.looseObject({ team: z.string(), account_id: z.string(), role: z.string() })),
  'team.list': admin('GET', 'team.list', page(team).extend({ has_more: z.boolean(), next_cursor: z.string().optional() })),
  'team.members': admin(
    'GET',
    'team.members',
    page({ account_id: z.string(), email: z.string(), role: z.string(), joined_at: z.number() }),
  ),
  'team.remove': admin('POST', 'team.remove', z.looseObject({ account_id: z.string() })),
  'team.setRole': admin('POST', 'team.setRole', z.looseObject({ account_id: z.string() })),
  'app.create': admin('POST', 'app.create', z.looseObject({ client_id: z.string(), client_secret: z.string().optional() })),
  'app.list': admin('GET', 'app.list', page(app)),
  'app.show': admin('GET', 'app.show', z.looseObject({ app: z.looseObject(app), secrets: z.array(appSecret) })),
  'app.update': admin('POST', 'app.update', z.looseObject({ app: z.looseObject(app) })),
  'app.delete': admin('POST', 'app.delete', z.looseObject({ client_id: z.string() })),
  'app.addSecret': admin('POST', 'app.addSecret', z.looseObject({ client_secret: z.string(), secret: appSecret })),
  'app.revokeSecret': admin('POST', 'app.revokeSecret', z.looseObject({ secret_id: z.string() })),
  'project.create': write('project.create', z.looseObject({ project: z.looseObject(project) })),
  'project.list': read('project.list', page(project)),
  'project.update': write('project.update', z.looseObject({ project: z.looseObject(project) })),
  'agent.detail': read('agent.detail', z.looseObject({ agent: z.looseObject(agent) })),
  'agent.update': write('agent.update', z.looseObject({ agent: z.looseObject(agent) })),
  'skill.list': read('skill.list', page(skill)),
  'skill.create': write('skill.create', z.looseObject({ skill: z.looseObject(skill) })),
  'skill.delete': write('skill.delete', z.looseObject({ id: z.string() })),
  'connector.list': read('connector.list', page(connector)),
  'connector.create': write('connector.create', z.looseObject({ connector: z.looseObject(connector) })),
  'connector.createCommand': admin('POST', 'connector.createCommand', z.looseObject({ connector: z.looseObject(connector) })),
  'connector.check': write('connector.check', z.looseObject({ connector: z.looseObject(connector) })),
  'connector.delete': write('connector.delete', z.looseObject({ id: z.string() })),
  'account.signOut': admin('POST', 'account.signOut', z.looseObject({ account_id: z.string(), ended: z.number() })),
  'identity.list': admin('GET', 'identity.list', page(identity)),
  'identity.link': admin('POST', 'identity.link', z.looseObject({ issuer: z.string() })),
  'identity.unlink': admin('POST', 'identity.unlink', z.looseObject({ issuer: z.string() })),
  'bridge.link': admin('POST', 'bridge.link', z.looseObject({ code: z.string(), bots: z.array(z.looseObject(bot)) })),
  'bridge.list': admin(
    'GET',
    'bridge.list',
    page({ id: z.string(), platform: z.string(), title: z.string(), problem: z.string().nullable() }),
  ),
  'bridge.unlink': admin('POST', 'bridge.unlink', z.looseObject({ id: z.string() })),
  'webhook.list': read('webhook.list', page(webhook)),
  'webhook.deliveries': admin(
    'GET',
    'webhook.deliveries',
    page(delivery).extend({ has_more: z.boolean(), next_cursor: z.string().optional() }),
  ),
  'webhook.resend': admin('POST', 'webhook.resend', z.looseObject({ resent: z.number() })),
  'webhook.enable': admin('POST', 'webhook.enable', z.looseObject({ webhook: z.looseObject(webhook) })),
  'webhook.rotateKeys': admin('POST', 'webhook.rotateKeys', z.looseObject({ standard_webhooks_public_key: z.string() })),
} as const;

export type OperationName = keyof typeof calledOperations;
export type ResultOf<Name extends OperationName> = z.infer<(typeof calledOperations)[Name]['result']>;
