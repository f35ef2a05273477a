import { Fault } from '@errand/base/fault.ts';
import { toCamelCase } from './field-names.ts';

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
