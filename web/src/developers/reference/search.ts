import type { Api, ApiOperation, Subject } from './api-document.ts';
import { listFields } from './schema-parts.ts';

interface Entry {
  operation: ApiOperation;
  /** Its name and purpose. */
  head: string;
  /** Its fields with their descriptions, by name. */
  fields: Map<string, string>;
  /** All of that. */
  text: string;
}

/** A result: an operation, and the field for which it was found, if its name and purpose do not say why. */
export interface Found {
  operation: ApiOperation;
  field: string | null;
}

export interface FoundSubject extends Omit<Subject, 'operations'> {
  found: Found[];
}

function readEntry(api: Api, operation: ApiOperation): Entry {
  const fields = new Map<string, string>();
  for (const schema of [operation.input, operation.answer ?? {}]) {
    for (const [name, about] of listFields(api, schema)) {
      if (!fields.has(name)) fields.set(name, `${name} ${about}`.toLowerCase());
    }
  }
  const { id, path, summary, details } = operation;
  const head = `${id} ${path} ${summary} ${details}`.toLowerCase();
  return { operation, head, fields, text: [head, ...fields.values()].join('\n') };
}

function find({ operation, head, fields, text }: Entry, words: readonly string[]): Found | null {
  if (!words.every((word) => text.includes(word))) return null;
  if (words.every((word) => head.includes(word))) return { operation, field: null };
  const missing = words.filter((word) => !head.includes(word));
  const field = [...fields].find(([, said]) => missing.every((word) => said.includes(word)))?.[0];
  return { operation, field: field ?? null };
}

/** Prepares a search of the API. Each of the words has to occur in an operation: its name, its descriptions, or its fields. */
export function createSearch(api: Api): (typed: string) => FoundSubject[] {
  const entries = new Map(
    api.subjects.map(({ name, operations }) => [name, operations.map((operation) => readEntry(api, operation))]),
  );
  return (typed) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const subjects = api.subjects.map(({ name, description }) => {
      const found = (entries.get(name) ?? []).flatMap((entry) => find(entry, words) ?? []);
      // What is named by the words comes before what merely mentions them.
      const [named, others] = [true, false].map((isNamed) => found.filter(({ field }) => (field === null) === isNamed));
      return { name, description, found: [...(named ?? []), ...(others ?? [])] };
    });
    return subjects.filter(({ found }) => found.length > 0);
  };
}
