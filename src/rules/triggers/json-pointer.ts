/** A JSON pointer (RFC 6901) to something inside a document: `/items/0/name`; `~1` stands for a slash in a name, `~0` for a tilde. */
const pointer = /^(?:\/(?:[^/~]|~[01])*)+$/;

/** Whether a text is a pointer to a part of a document. The empty pointer, to all of it, does not count. */
export function isPointer(text: string): boolean {
  return pointer.test(text);
}

function stepInto(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return /^(?:0|[1-9]\d{0,8})$/.test(name) ? (value[Number(name)] as unknown) : undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The value that a pointer finds in a parsed JSON document; undefined for nothing. */
export function findValue(document: unknown, path: string): unknown {
  const names = path.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(stepInto, document);
}
