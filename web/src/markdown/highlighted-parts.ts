/** A piece of code with the kind of thing it is; `kind` is empty for what has none. */
export interface CodePart {
  kind: string;
  text: string;
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

/**
 * Reads the markup of the highlighter, which is nothing but spans and escaped text, into pieces: so that no markup is ever given to
 * the page.
 */
export function readHighlightedParts(markup: string): CodePart[] {
  const parts: CodePart[] = [];
  const kinds: string[] = [];
  for (const [part] of markup.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (part.startsWith('<span')) kinds.push(part.slice(13, -2));
    else if (part === '</span>') kinds.pop();
    else {
      const text = part.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
      parts.push({ kind: kinds.at(-1) ?? '', text });
    }
  }
  return parts;
}
