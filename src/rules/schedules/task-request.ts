import type { ReplyBudget } from '../budgets/budget.ts';
import type { OutputSchema, UserMessage } from '../events/task-event.ts';
import type { DecisionTimeout } from '../inbox/decision-timeout.ts';
import type { TaskPriority } from '../limits/task-priority.ts';
import type { TaskMetadata } from '../tasks/task-metadata.ts';

/** The names in a message, as callers send them. */
export interface RequestedNames {
  connectors?: string[] | undefined;
  enable_skills?: string[] | undefined;
  force_skills?: string[] | undefined;
  instructions?: string | undefined;
}

/** What a task that starts later, or again and again, is asked for. Checked when it is stored, as JSON, and again at each start. */
export interface TaskRequest {
  /** The message without its schema. Its files are stored, and whoever stores the request keeps references to them. */
  message: Omit<UserMessage, 'outputSchema'>;
  names: RequestedNames;
  outputSchema: OutputSchema | null;
  projectId: string | null;
  /** The profile as its caller named it; null for the default. */
  profile: string | null;
  /** The family of names that its caller uses. */
  family: string;
  /** Null for the account's. */
  locale: string | null;
  isInteractive: boolean;
  metadata: TaskMetadata;
  /** What each reply may cost; absent from requests stored by earlier versions. */
  budget?: ReplyBudget | null;
  /** Absent for the usual one. */
  priority?: TaskPriority;
  /** The recipe that the message was copied from, and what its fields were filled in with. */
  recipe?: { id: string; values: Readonly<Record<string, string>> };
  /** How long its tasks wait for a person; absent or null for as long as it takes. */
  decisionTimeout?: DecisionTimeout | null;
}

/** The blobs of its files. */
export function filesOfRequest({ message: { attachments = [] } }: TaskRequest): string[] {
  return attachments.map(({ blobId }) => blobId);
}
