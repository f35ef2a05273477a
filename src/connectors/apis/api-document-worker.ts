import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'yaml';
import type { ApiChoice } from '../../rules/connectors/api-operation.ts';
import { readApiDocument, Unreadable } from './api-document.ts';

/** The input of the thread: a document in JSON or YAML, and what is wanted of it. */
export interface DocumentSource extends ApiChoice {
  text: string;
  /** The URL of the document, if it has one. */
  place?: string | undefined;
}

function parseText(text: string): unknown {
  const start = text.replace(/^\ufeff/, '').trimStart();
  try {
    if (start.startsWith('{')) return JSON.parse(start) as unknown;
    // Aliases are few in documents that people write, and many in those that are meant to grow.
    return parse(start, { maxAliasCount: 100, prettyErrors: false, logLevel: 'silent', uniqueKeys: false }) as unknown;
  } catch (error) {
    if (error instanceof ReferenceError) throw new Unreadable('uses too many YAML aliases', { cause: error });
    const detail = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ').slice(0, 160) : '';
    throw new Unreadable(`is neither JSON nor YAML: ${detail}`, { cause: error });
  }
}

function read({ text, place, ...choice }: DocumentSource) {
  try {
    return { document: readApiDocument(parseText(text), choice, place) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    if (error instanceof RangeError) return { problem: 'is nested too deeply, or contains itself' };
    return { problem: null, detail: String(error) };
  }
}

parentPort?.postMessage(read(workerData as DocumentSource));
