/** Whether a host name, as a URL has it, is one of this machine's own. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
