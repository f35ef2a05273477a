/** Where people open a task (decisions, "Names and identity"). `baseUrl` has no slash at its end. */
export function taskUrl(baseUrl: string, taskId: string): string {
  return `${baseUrl}/app/${taskId}`;
}
