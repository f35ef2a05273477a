import type { ModelReply } from './model.ts';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON value in a reply, undefined without one. Models often fence it; a fence inside a value does not count. */
export function readJsonReply({ parts }: ModelReply): unknown {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const whole = parseJson(text);
  if (whole !== undefined) return whole;
  const fenced = /```(?:json)?\s*([\s\S]*)```/.exec(text)?.[1] ?? '';
  return parseJson(fenced) ?? parseJson(fenced.split('```', 1)[0] ?? '');
}

/** Why a reply has no JSON value, in words for the model. */
export function explainMisread({ isCut }: ModelReply): string {
  return isCut === true ? 'it was cut at the output limit, so write less' : 'it is not JSON';
}
