const maxPathLength = 200;
const maxNameLength = 100;
const maxDepth = 8;

/** Letters, digits and harmless signs of any language; no controls, no direction marks, nothing that a shell or a path expands. */
const refusedCharacter = /[^\p{L}\p{N}\p{M} ._+@#,()=-]/u;

/**
 * What is wrong with the path of a file in a store, or null. Only one spelling of each path is accepted, so that no two rows are one file.
 */
export function memoryPathProblem(path: string): string | null {
  if (path.length > maxPathLength) return `must have at most ${maxPathLength} characters`;
  const names = path.split('/');
  if (names.length > maxDepth) return `must be at most ${maxDepth} folders deep`;
  for (const name of names) {
    if (name === '') return 'must be relative, such as "notes/people.md", without empty names';
    if (name.startsWith('.')) return 'must have no name that begins with a dot';
    if (name !== name.trim() || refusedCharacter.test(name)) {
      return 'must consist of letters, digits, single spaces inside names, and the characters . _ - + @ # , ( ) =';
    }
    if (Buffer.byteLength(name) > maxNameLength) return `must have no name longer than ${maxNameLength} bytes`;
  }
  return null;
}

/** The folders above a file: `a/b/c` is below `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
