import { isJsonObject } from '@errand/base/json-object.ts';
import { Fault } from '@errand/base/fault.ts';

/** `agentProfile` for `agent_profile`. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * v1 used camelCase, but some of its clients and pages use snake_case for the same fields (docs/reference/wire-format.md#v1-names). Fields
 * known to the schema in camelCase are accepted in both forms; if both are sent, camelCase counts.
 */
export function readFieldNames(known: Readonly<Record<string, unknown>>, input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  const fields: Record<string, unknown> = { ...input };
  for (const [name, value] of Object.entries(input)) {
    const camel = toCamelCase(name);
    if (!Object.hasOwn(known, name) && Object.hasOwn(known, camel)) fields[camel] ??= value;
  }
  return fields;
}

/** The name of a v2 field, such as `message.content[1].file_data`, in what the caller sent. */
export type FieldRenaming = (field: string) => string;

const fieldForm = /^[a-z][\w.[\]]*(?=: | is required)/;

/** What a v2 operation rejects, with the fields that the caller knows. */
export function renameFaultField(error: unknown, rename: FieldRenaming): unknown {
  if (!(error instanceof Fault)) return error;
  const message = error.message.replace(fieldForm, rename);
  if (message === error.message) return error;
  const { code, status, isAlreadyThere, neededScopes, cause } = error;
  const { detail, retryAfterS, param } = error;
  const given = { ...(detail !== undefined && { detail }), ...(retryAfterS !== undefined && { retryAfterS }) };
  const named = param === undefined ? {} : { param: rename(param) };
  return new Fault(code, message, { ...given, ...named, status, isAlreadyThere, neededScopes, cause });
}

/** The names of a request as its caller wrote them, where both spellings are accepted. */
export function spelledAs(input: unknown): FieldRenaming {
  const sent = typeof input === 'object' && input !== null ? Object.keys(input) : [];
  return (field) => {
    const [root = ''] = /^\w+/.exec(field) ?? [];
    if (sent.includes(root)) return field;
    const spelled = sent.find((name) => toCamelCase(name) === toCamelCase(root));
    return spelled === undefined ? field : spelled + field.slice(root.length);
  };
}

const attachmentFields: Record<string, string> = { file_url: 'url', file_id: 'file_id' };

/** Names of `POST /v1/tasks`: the first part of the message is the prompt, the others are attachments. */
export function renameTaskField(field: string): string {
  const [, index, part] = /^message\.content(?:\[(\d+)\])?(?:\.(\w+))?$/.exec(field) ?? [];
  if (index !== undefined && index !== '0') {
    const attachment = `attachments[${Number(index) - 1}]`;
    return part === undefined ? attachment : `${attachment}.${attachmentFields[part] ?? toCamelCase(part)}`;
  }
  return field.startsWith('message.content') ? 'prompt' : toCamelCase(field.replace(/^message\./, ''));
}
