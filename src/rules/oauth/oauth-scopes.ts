import { type Scope, scopes as allScopes } from '../accounts/access.ts';

/** The scopes, as the consent page describes them. */
export const scopeSentences: Record<Scope, string> = {
  create_task: 'Create tasks in your name, and read, message and delete the tasks it created.',
  manage_all_tasks: 'Read, message and delete all your tasks and their results, including those it didn’t create.',
  create_project: 'Create projects and list your projects.',
  use_connectors: 'Use the connectors you choose here in its tasks.',
  use_my_browsers: 'See which of your browsers are online and use them in its tasks.',
};

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeSentences, text);
}

/** Parses a space-separated list, without duplicates and in table order; null if it is empty or contains unknown scopes. */
export function parseScopes(text: string): Scope[] | null {
  const words = new Set(text.split(' ').filter((word) => word !== ''));
  for (const word of words) if (!isScope(word)) return null;
  return words.size === 0 ? null : allScopes.filter((scope) => words.has(scope));
}

/** The list as sent to clients. */
export function formatScopes(scopes: readonly Scope[]): string {
  return scopes.join(' ');
}

/** Whether every scope of `some` is in `all`. */
export function isWithin(some: readonly Scope[], all: readonly Scope[]): boolean {
  return some.every((scope) => all.includes(scope));
}
