import { Fault } from '@errand/base/fault.ts';
import { splitWorkspacePath, workspaceMount } from '@errand/sandbox/workspace-path';

/** The host of pages of the workspace, inside the browser's sandbox. */
export const workspaceHost = 'workspace.localhost';

/** Where the browser is to go: to a page of the web or of the task's sandbox, or to a file of the workspace. */
export interface BrowserAim {
  url: string;
  kind: 'web' | 'port' | 'workspace';
}

/** Whether a host is the browser's own machine, which for the pages of a task is the sandbox of its commands. */
export function isLocalHost(host: string): boolean {
  const name = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name);
}

function readFilePath(text: string): string | null {
  const path = text.replace(/^file:\/\//i, '');
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || (path !== text && !path.startsWith(`${workspaceMount}/`))) return null;
  const [, file = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(path) ?? [];
  try {
    const names = splitWorkspacePath(file);
    return `/${names.map(encodeURIComponent).join('/')}${file.endsWith('/') && names.length > 0 ? '/' : ''}${rest}`;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** Null for what the browser does not open: other schemes, and files outside the workspace. */
export function readAim(text: string): BrowserAim | null {
  const address = /^localhost:\d+(?:[/?#]|$)/i.test(text) ? `http://${text}` : text;
  if (/^https?:\/\//i.test(address)) {
    const url = URL.parse(address);
    if (!url) return null;
    if (url.hostname === workspaceHost)
      return { url: `http://${workspaceHost}${url.pathname}${url.search}${url.hash}`, kind: 'workspace' };
    return { url: address, kind: isLocalHost(url.hostname) ? 'port' : 'web' };
  }
  const path = readFilePath(text);
  return path === null ? null : { url: `http://${workspaceHost}${path}`, kind: 'workspace' };
}
