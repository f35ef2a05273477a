/** Far deeper than any accepted input; the parser itself allows a million. */
export const maxJsonDepth = 64;

/** The position after a string's closing quote, for a string that opens at `start`. */
function skipString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Whether a JSON text nests deeper than `maxJsonDepth`, without parsing it. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if (char === '"') {
      at = skipString(text, at);
      continue;
    }
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (depth > maxJsonDepth) return true;
    at++;
  }
  return false;
}
