import type { JsonObject } from './openapi-schemas.ts';

const taskId = 'bkVZvJ2PqRsTuVwXyZ1234';

/** One sample request of each operation with a body, by name. */
export const examples: Readonly<Record<string, JsonObject>> = {
  'task.create': { message: { content: 'write hello.md with Hello' }, title: 'A greeting' },
  'task.sendMessage': { task_id: taskId, message: { content: 'Now in French, please.' } },
  'task.token': { task_id: taskId, expires_in: 600, can: ['read', 'stream'] },
  'task.stop': { task_id: taskId },
  'task.update': { task_id: taskId, title: 'A better title', share_visibility: 'private' },
  'task.delete': { task_id: taskId },
  'task.clear': { task_id: 'agent-default-main_task' },
  'task.confirmAction': { task_id: taskId, event_id: 'cM4xWq8ZtYuVwXyZ123456', input: { accept: true } },
  'project.create': { name: 'Garden', instruction: 'Answer briefly.' },
  'project.update': { project_id: taskId, instruction: 'Answer at length.' },
  'schedule.create': { name: 'Report', message: 'Write the daily report.', cron: '0 9 * * mon-fri', time_zone: 'Europe/Berlin' },
  'schedule.update': { schedule_id: taskId, status: 'paused' },
  'schedule.delete': { schedule_id: taskId },
  'schedule.runNow': { schedule_id: taskId },
  'schedule.preview': { cron: '0 9 * * mon-fri', time_zone: 'Europe/Berlin' },
  'agent.update': { agent_id: 'agent-default', nickname: 'Ada' },
  'connector.create': { name: 'Tickets', url: 'https://tickets.example.com/mcp' },
  'connector.check': { connector_id: taskId },
  'connector.delete': { connector_id: taskId },
  'skill.create': { content: '---\nname: greet\ndescription: Greets people.\n---\nSay hello.\n' },
  'skill.delete': { skill_id: taskId },
  'inbox.decide': { id: `${taskId}-7`, answer: 'The blue one.' },
  'inbox.assign': { id: `${taskId}-7`, account_id: taskId },
  'memory.write': { scope: 'account', path: 'people.md', content: 'Ada prefers short reports.', if_version: 2 },
  'memory.delete': { scope: 'account', path: 'people.md' },
  'memory.restore': { scope: 'account', at: 1_795_406_400 },
  'file.upload': { filename: 'sales.csv' },
  'file.delete': { file_id: `file-${taskId}` },
  'artifact.update': { artifact_id: taskId, favorite: true },
  'website.publish': { task_id: taskId, visibility: 'public' },
  'website.update': { task_id: taskId, title: 'Snake' },
  'webhook.create': { url: 'https://example.com/hook' },
  'webhook.rotateSecret': { webhook_id: taskId },
  'webhook.delete': { webhook_id: taskId },
  'instance.createAccount': { email: 'ann@example.com', plan: 'free', quotas: { max_bytes: 1_000_000_000 } },
  'instance.updateAccount': { account_id: 'ann@example.com', status: 'disabled' },
  'instance.deleteAccount': { account_id: 'ann@example.com' },
  'instance.createKey': { account_id: 'ann@example.com', name: 'ci' },
  'instance.revokeKey': { key_id: taskId },
};

/** The same for the first version, by the operation's id in the OpenAPI document. */
export const legacyExamples: Readonly<Record<string, JsonObject>> = {
  'post.v1.tasks': { prompt: 'write hello.md with Hello' },
  'put.v1.tasks.task_id': { title: 'A better title' },
  'post.v1.files': { filename: 'sales.csv' },
  'post.files': { filename: 'sales.csv' },
  'post.v1.projects': { name: 'Garden', instruction: 'Answer briefly.' },
  'post.v1.webhooks': { webhook: { url: 'https://example.com/hook' } },
  'post.v1.responses': { input: 'write hello.md with Hello' },
  'post.responses': { input: 'write hello.md with Hello' },
  'post.openapi.v2.OpenapiV2Service.GetAvailableCredits': {},
};

/** Sample parameters of reads in the reference. */
export const queryExamples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'task.detail': { task_id: taskId },
  'task.listMessages': { task_id: taskId, limit: '20' },
  'task.stream': { task_id: taskId },
  'schedule.detail': { schedule_id: taskId },
  'schedule.runs': { schedule_id: taskId },
  'agent.detail': { agent_id: 'agent-default' },
  'memory.list': { scope: 'account' },
  'memory.read': { scope: 'account', path: 'people.md' },
  'memory.versions': { scope: 'account', path: 'people.md' },
  'artifact.detail': { artifact_id: taskId },
  'file.detail': { file_id: `file-${taskId}` },
  'website.status': { task_id: taskId },
  'website.listCheckpoints': { task_id: taskId },
  'artifact.archive': { task_id: taskId },
  'instance.accountDetail': { account_id: 'ann@example.com' },
};
