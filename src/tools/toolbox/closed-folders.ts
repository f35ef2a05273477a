/** Where results that are too long for the log are stored in full. */
export const toolOutputFolder = '.tool-output';

/** The home of commands, where they keep settings and what they install. */
export const homeFolder = '.home';

/** Where the browser's session is kept. */
export const browserFolder = '.browser';

/** Folders with generated content: listed, but entered only if a path names them. */
export const closedFolders: readonly string[] = ['.git', 'node_modules', toolOutputFolder, browserFolder, homeFolder];
