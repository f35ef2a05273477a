import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { apiLimits, apiMethods, type ApiSource } from '../../rules/connectors/api-operation.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

/** The fields that name an OpenAPI document. */
export const documentFields = {
  document: optional(z.string()).meta({ description: 'The OpenAPI document, 3.0 or 3.1, in JSON or YAML; at most 4 MB.' }),
  document_url: optional(z.string().max(2000)).meta({
    description: 'URL of the OpenAPI document, in place of `document`. It is fetched once, now; at most 10 MB.',
  }),
};

/** The kinds of sign-in that an HTTP API can have. */
export const signInTypes = ['none', 'header', 'query', 'bearer', 'basic'] as const;

/** Bytes of a request with a document: as text in JSON, it can double. */
export const documentRequestBytes = 2 * apiLimits.sentBytes + 64 * 1024;

/** The document that a request names in one of two ways. */
export function readSource({
  document,
  document_url: url,
}: {
  document?: string | undefined;
  document_url?: string | undefined;
}): ApiSource {
  if (document !== undefined && url !== undefined) throw invalidField('document_url', 'give either this or document');
  if (url !== undefined) return { url };
  if (document === undefined || document.trim() === '') throw missingField('document', ', or document_url');
  if (Buffer.byteLength(document) > apiLimits.sentBytes) {
    throw invalidField('document', `must have at most ${apiLimits.sentBytes} bytes; keep only the operations you need`);
  }
  return { text: document };
}

export const connectorReadApi = defineOperation('POST', 'connector.readApi', {
  summary: 'Reads an OpenAPI document and lists the operations that connector.createApi can turn into tools.',
  details: 'Nothing is stored. References to other documents are not followed: bundle them into one.',
  access: 'account',
  bodyLimitBytes: documentRequestBytes,
  request: z.object(documentFields),
  response: z.object({
    title: z.string(),
    base_url: z.string().nullable().meta({ description: 'The address of its first server; null if it names none.' }),
    sign_in: z
      .object({ type: z.enum(signInTypes), name: z.string().optional() })
      .meta({ description: 'What the document says about how its callers sign in.' }),
    operations: z.array(
      z.object({
        name: z.string(),
        method: z.enum(apiMethods),
        path: z.string(),
        summary: z.string(),
        problem: z.string().nullable().meta({ description: 'Why it cannot be used; null if it can.' }),
      }),
    ),
    most_operations: z.int().meta({ description: 'How many operations one connector can have.' }),
  }),
  async handle(input, { principal, outwardSignal: signal, connectors }) {
    // None of them as a tool: only what there is to choose from.
    const choice = { names: [], taken: null };
    const found = await connectors.readApi(readSource(input), choice, { owner: principal.accountId, signal });
    return {
      title: found.title,
      base_url: found.baseUrl,
      sign_in: found.signIn ?? { type: 'none' as const },
      operations: found.operations,
      most_operations: apiLimits.operations,
    };
  },
});
