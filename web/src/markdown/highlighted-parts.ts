/** A piece of code with its token class; `kind` is empty for plain text. */
export interface CodePart {
  kind: string;
  text: string;
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

/** Parses the highlighter's markup, which consists only of spans and escaped text, so that no HTML is ever inserted into the page. */
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
