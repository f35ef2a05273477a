const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]{0,63}$/u;
const longestPath = 200;
const longestName = 64;

/** An external name in double quotes, truncated if long. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > longestName ? `${name.slice(0, longestName)}…` : name);
}

/** `.price`, or `["unit price"]` for a name that needs quotes. */
export function propertyPath(parent: string, name: string): string {
  return plainName.test(name) ? `${parent}.${name}` : `${parent}[${quoteName(name)}]`;
}

/** A message about one position: `.price: problem`. The root has no path, a very long path keeps its end. */
export function describeAt(path: string, problem: string): string {
  if (path === '') return problem;
  const shown = path.length > longestPath ? `…${path.slice(-longestPath).toWellFormed()}` : path;
  return `${shown}: ${problem}`;
}
