import type { WebOperations } from './web-operations.ts';

/** The filter of a list of tasks, without its paging. */
export type TaskFilter = Omit<WebOperations['task.search']['request'], 'cursor' | 'limit'>;

/** Keys of all cached responses. A shorter key matches all that begin with it. */
export const keys = {
  session: ['session'] as const,
  credits: ['credits'] as const,
  tasks: ['tasks'] as const,
  taskList: (filter: TaskFilter) => ['tasks', filter] as const,
  /** Tasks in which these words occur. */
  foundTasks: (text: string) => ['found-tasks', text] as const,
  /** The newest page of lists, which is polled. */
  newestTasks: ['newest-tasks'] as const,
  /** What pages of tasks show besides the conversation. */
  taskShows: ['task-show'] as const,
  task: (taskId: string) => ['task', taskId] as const,
  /** Ratings of answers of one task; of all tasks without one. */
  ratings: (taskId: string) => ['ratings', taskId] as const,
  /** What people write about a task. */
  comments: (taskId: string) => ['comments', taskId] as const,
  /** Tasks that teammates have handed over; lists of `tasks` have own ones only. */
  assignedTasks: ['assigned-tasks'] as const,
  modelCall: (taskId: string, eventId: string) => ['model-call', taskId, eventId] as const,
  /** The call of a tool that runs. */
  runningCall: (taskId: string) => ['running-call', taskId] as const,
  projects: ['projects'] as const,
  connectors: ['connectors'] as const,
  skills: (projectId?: string) => ['skills', projectId ?? ''] as const,
  agents: ['agents'] as const,
  artifacts: (filter: object) => ['artifacts', filter] as const,
  usage: ['usage'] as const,
  sessions: ['sessions'] as const,
  activity: ['activity'] as const,
  twoStep: ['two-step'] as const,
  passkeys: ['passkeys'] as const,
  connections: ['connections'] as const,
  chats: ['chats'] as const,
  models: ['models'] as const,
  modelKeys: ['model keys'] as const,
  localModel: ['local model'] as const,
  /** What owners of the instance see of it. */
  instance: ['instance'] as const,
  instanceWorkers: ['instance', 'workers'] as const,
  instanceAccounts: ['instance', 'accounts'] as const,
  instanceAccount: (accountId: string) => ['instance', 'accounts', accountId] as const,
  identities: ['identities'] as const,
  team: ['team'] as const,
  apiKeys: ['api keys'] as const,
  api: ['api'] as const,
  apps: ['apps'] as const,
  brand: ({ scope, id = '' }: { scope: string; id?: string }) => ['brand', scope, id] as const,
  budgets: ['budgets'] as const,
  limits: ['limits'] as const,
  inbox: ['inbox'] as const,
  memory: ['memory'] as const,
  triggers: ['triggers'] as const,
  trigger: (triggerId: string) => ['triggers', triggerId] as const,
  notifications: ['notifications'] as const,
  policies: ['policies'] as const,
  recipes: ['recipes'] as const,
  schedules: ['schedules'] as const,
  schedule: (scheduleId: string) => ['schedules', scheduleId] as const,
  webhooks: ['webhooks'] as const,
  requests: (filter: object) => ['requests', filter] as const,
  request: (requestId: string) => ['request', requestId] as const,
  deliveries: (webhookId: string) => ['deliveries', webhookId] as const,
};
