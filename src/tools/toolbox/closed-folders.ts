/** Where results that are too long for the log are kept as a whole. */
export const toolOutputFolder = '.tool-output';

/** Folders whose content nobody wrote by hand: shown, but entered only when a path names them. */
export const closedFolders: readonly string[] = ['.git', 'node_modules', toolOutputFolder, '.browser'];
