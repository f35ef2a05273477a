/** A question with its suggested answers. */
export interface Question {
  text: string;
  suggestions: readonly string[];
}

const mostSuggestions = 12;
const longestSuggestion = 200;

/** Parses a question: a list at its end, after an empty line, contains suggested answers. */
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
