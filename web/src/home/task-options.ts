import type { Request, Task } from '@errand/client';
import type { Profile } from '../api/profiles.ts';
import { type OutgoingMessage, toContent } from '../composer/outgoing-message.ts';

/** The options of a new task. */
export interface TaskOptions {
  projectId: string;
  profile: Profile;
  /** Null: the default ones, or the project's. */
  connectors: readonly string[] | null;
  /** Skills that must be used; all others are available anyway. */
  skills: readonly string[];
  isInteractive: boolean;
  visibility: Task['share_visibility'];
  /** JSON text of the output schema; empty for none. */
  schema: string;
}

export const defaultOptions: TaskOptions = {
  projectId: '',
  profile: 'service-1.6',
  connectors: null,
  skills: [],
  // The user is present: the agent may ask.
  isInteractive: true,
  visibility: 'private',
  schema: '',
};

export type SchemaProblem = 'notJson' | 'notObject' | null;

/** What is wrong with the text of a schema. Whether it is in the supported subset is checked by the service. */
export function checkSchema(text: string): SchemaProblem {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'notObject';
  } catch {
    return 'notJson';
  }
}

/** The request that creates the task. */
export function toTaskRequest(outgoing: OutgoingMessage, options: TaskOptions): Request<'task.create'> {
  const { projectId, profile, connectors, skills, isInteractive, visibility, schema } = options;
  return {
    message: {
      content: toContent(outgoing),
      ...(connectors && { connectors: [...connectors] }),
      ...(skills.length > 0 && { force_skills: [...skills] }),
    },
    agent_profile: profile,
    interactive_mode: isInteractive,
    share_visibility: visibility,
    ...(projectId !== '' && { project_id: projectId }),
    ...(schema.trim() !== '' && { structured_output_schema: JSON.parse(schema) as Record<string, unknown> }),
  };
}
