/** Attributes by the semantic conventions of OpenTelemetry; those of this service begin with `errand.`. */
import { unmarkOwn } from '../instance/own-model.ts';
import type { CallBill } from '../events/call-cost.ts';
import type { ModelPart } from '../events/model-part.ts';
import type { AttributeValue } from './span.ts';

/** The version of the conventions, all of whose names for generative AI are in development: a later one may change them. */
export const conventionsVersion = '1.41.0';

/** Providers that the conventions call otherwise than the settings of this service. */
const providers: Readonly<Record<string, string>> = { google: 'gcp.gemini' };

/** The model of a call, named `provider/model`. */
export function describeModel(logged: string): Record<string, AttributeValue> {
  const name = unmarkOwn(logged);
  const at = name.indexOf('/');
  const provider = at < 0 ? '_OTHER' : name.slice(0, at);
  return { 'gen_ai.provider.name': providers[provider] ?? provider, 'gen_ai.request.model': name.slice(at + 1) };
}

/** What a call, or several together, used. */
export function describeUsage({ usage, cost }: CallBill): Record<string, AttributeValue> {
  const { input, output, cached, written } = usage;
  return {
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    ...(cached > 0 && { 'gen_ai.usage.cache_read.input_tokens': cached }),
    ...(written !== undefined && written > 0 && { 'gen_ai.usage.cache_creation.input_tokens': written }),
    ...(cost !== undefined && { 'errand.cost.microcredits': cost }),
  };
}

/** Why a reply ended, in the words of the conventions. */
export function nameFinishReason(parts: readonly ModelPart[], isContinued: boolean): string {
  if (isContinued || parts.some((part) => part.type === 'call' && part.isCut === true)) return 'length';
  return parts.some(({ type }) => type === 'call') ? 'tool_call' : 'stop';
}

/** The most characters of one attribute. */
const longestText = 16_384;

/** A text that fits into an attribute. */
export function clipText(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1).toWellFormed()}…`;
}

/** What a model replied, as a message of the conventions. */
export function describeReply(parts: readonly ModelPart[], finishReason: string): string {
  const shown = parts.map((part) =>
    part.type === 'call'
      ? { type: 'tool_call', id: part.id, name: part.tool, arguments: clipText(JSON.stringify(part.input)) }
      : { type: part.type, content: clipText(part.text) },
  );
  return JSON.stringify([{ role: 'assistant', parts: shown, finish_reason: finishReason }]);
}

/** What users said, as messages of the conventions. */
export function describeMessages(texts: readonly string[]): string {
  return JSON.stringify(texts.map((text) => ({ role: 'user', parts: [{ type: 'text', content: clipText(text) }] })));
}
