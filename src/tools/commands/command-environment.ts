import { layerMount } from '@errand/sandbox';
import { workspaceMount } from '@errand/sandbox/workspace-path';
import { type PackageRegistries, registryEnvironment } from '../../rules/egress/package-registries.ts';
import { homeFolder } from '../toolbox/closed-folders.ts';

const homeOfTask = `${workspaceMount}/${homeFolder}`;
/** Where a setup script installs what its programs keep for themselves. */
const homeOfLayer = `${layerMount}/${homeFolder}`;
/** Leads to the folder of Python modules, whose name has the version. */
export const layerModules = `${layerMount}/.python`;

const programFolders = (home: string) => [`${home}/.local/bin`, `${home}/.npm/bin`];
const systemFolders = ['/usr/local/bin', '/usr/bin', '/bin'];
const layerFolders = [
  ...['venv/bin', '.venv/bin', 'node_modules/.bin'].map((name) => `${layerMount}/${name}`),
  ...programFolders(homeOfLayer),
];

function joinPath(...folders: readonly string[]): string {
  return ['/opt/node', ...folders, ...systemFolders].join(':');
}

function environment(home: string, registries: PackageRegistries): Record<string, string> {
  return {
    HOME: home,
    PATH: joinPath(...programFolders(home)),
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

/**
 * The variables of an agent's commands and code: what pip and npm install is kept in the workspace, what they only cache is not. Python
 * of Debian refuses to install beside its own packages; there is nothing to protect in a home of the agent's own.
 */
export function commandEnvironment(registries: PackageRegistries): Record<string, string> {
  return environment(homeOfTask, registries);
}

/** The variables of a project's setup script: what pip and npm install is kept in its own folder. */
export function setupEnvironment(registries: PackageRegistries): Record<string, string> {
  return environment(homeOfLayer, registries);
}

/** What is added for commands that see what a setup script has made: its programs, and the modules of Python and Node. */
export const layerEnvironment: Readonly<Record<string, string>> = {
  PATH: joinPath(...programFolders(homeOfTask), ...layerFolders),
  PYTHONPATH: layerModules,
  NODE_PATH: `${layerMount}/node_modules:${homeOfLayer}/.npm/lib/node_modules`,
};
