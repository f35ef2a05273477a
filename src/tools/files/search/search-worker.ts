import { parentPort, workerData } from 'node:worker_threads';
import { compileQuery, type FileMatches, filterPaths, type SearchQuery, searchBytes } from './line-search.ts';

/** The code of the search thread: it answers each question with one message, in order (see search-thread.ts). */
/** `isReady` asks whether the query could be compiled: if not, the thread ends with the error. */
export type SearchQuestion =
  | { isReady: true }
  | { paths: readonly string[]; glob: string }
  | { bytes: Uint8Array; limit: number };
export type SearchAnswer = string[] | FileMatches | null;

const query = workerData as SearchQuery;
const pattern = compileQuery(query);

function answer(question: SearchQuestion): SearchAnswer {
  if ('isReady' in question) return null;
  if ('glob' in question) return filterPaths(question.paths, question.glob);
  return searchBytes(question.bytes, pattern, query.contextLines, question.limit);
}

parentPort?.on('message', (question: SearchQuestion) => parentPort?.postMessage(answer(question)));
