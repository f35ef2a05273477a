/** Where people open a task (docs/reference/choices.md#urls). `baseUrl` has no slash at its end. */
export function taskUrl(baseUrl: string, taskId: string): string {
  return `${baseUrl}/app/${taskId}`;
}
