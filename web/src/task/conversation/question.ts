/** A question as it is asked: what is to be known, and the answers that it offers. */
export interface Question {
  text: string;
  suggestions: readonly string[];
}

const mostSuggestions = 12;
const longestSuggestion = 200;

/** Takes a question apart: the list at its end, behind an empty line, holds the answers that are likely. */
export function parseQuestion(content: string): Question {
  const lines = content.trimEnd().split('\n');
  let first = lines.length;
  while (first > 0 && /^- \S/.test(lines[first - 1] ?? '')) first -= 1;
  const suggestions = lines.slice(first).map((line) => line.slice(2).trim());
  const isOffer =
    suggestions.length > 0 &&
    suggestions.length <= mostSuggestions &&
    lines[first - 1]?.trim() === '' &&
    suggestions.every((suggestion) => suggestion.length <= longestSuggestion);
  if (!isOffer) return { text: content, suggestions: [] };
  return { text: lines.slice(0, first).join('\n').trimEnd(), suggestions };
}
