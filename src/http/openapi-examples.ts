import type { JsonObject } from './openapi-schemas.ts';

const taskId = 'bkVZvJ2PqRsTuVwXyZ1234';

/** One request of each operation that takes a body, by its name. */
export const examples: Readonly<Record<string, JsonObject>> = {
  'task.create': { message: { content: 'write hello.md with Hello' }, title: 'A greeting' },
  'task.sendMessage': { task_id: taskId, message: { content: 'Now in French, please.' } },
  'task.stop': { task_id: taskId },
  'task.update': { task_id: taskId, title: 'A better title', share_visibility: 'private' },
  'task.delete': { task_id: taskId },
  'project.create': { name: 'Garden', instruction: 'Answer briefly.' },
  'project.update': { project_id: taskId, instruction: 'Answer at length.' },
  'agent.update': { agent_id: 'agent-default', nickname: 'Ada' },
  'file.upload': { filename: 'sales.csv' },
  'file.delete': { file_id: `file-${taskId}` },
  'artifact.update': { artifact_id: taskId, favorite: true },
  'webhook.create': { url: 'https://example.com/hook' },
  'webhook.delete': { webhook_id: taskId },
};

/** What the reads that need something are asked in the reference. */
export const queryExamples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'task.detail': { task_id: taskId },
  'task.listMessages': { task_id: taskId, limit: '20' },
  'task.stream': { task_id: taskId },
  'agent.detail': { agent_id: 'agent-default' },
  'file.detail': { file_id: `file-${taskId}` },
};
