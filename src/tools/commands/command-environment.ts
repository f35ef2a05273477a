import { workspaceMount } from '@errand/sandbox/workspace-path';
import { type PackageRegistries, registryEnvironment } from '../../rules/egress/package-registries.ts';
import { homeFolder } from '../toolbox/closed-folders.ts';

const home = `${workspaceMount}/${homeFolder}`;
const path = `/opt/node:${home}/.local/bin:${home}/.npm/bin:/usr/local/bin:/usr/bin:/bin`;

/**
 * The variables of an agent's commands and code: what pip and npm install is kept in the workspace, what they only cache is not. Python
 * of Debian refuses to install beside its own packages; there is nothing to protect in a home of the agent's own.
 */
export function commandEnvironment(registries: PackageRegistries): Record<string, string> {
  return {
    HOME: home,
    PATH: path,
    // Tables of pandas and of other programs leave out columns that do not fit, and there is no terminal to ask for its width.
    COLUMNS: '200',
    PIP_BREAK_SYSTEM_PACKAGES: '1',
    PIP_CACHE_DIR: '/tmp/pip',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    NPM_CONFIG_PREFIX: `${home}/.npm`,
    NPM_CONFIG_CACHE: '/tmp/npm',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    ...registryEnvironment(registries),
  };
}
