/** Deeper values are rejected as input: they overflow the stack when serialized. */
const deepestInput = 100;

/** True when brackets outside strings nest deeper than `limit`. */
function nestsDeeper(json: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (inString) {
      if (char === 0x5c) at += 1;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === 0x7d || char === 0x5d) depth -= 1;
  }
  return false;
}

/** Parses the input of a tool call. Invalid JSON stays a string, so that the tool's validation rejects it and the model reads why. */
export function readCallInput(json: string): unknown {
  if (json.trim() === '') return {};
  if (nestsDeeper(json, deepestInput)) return json;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}
