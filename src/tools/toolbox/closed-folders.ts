/** Where results that are too long for the log are stored in full. */
export const toolOutputFolder = '.tool-output';

/** Folders with generated content: listed, but entered only if a path names them. */
export const closedFolders: readonly string[] = ['.git', 'node_modules', toolOutputFolder, '.browser'];
