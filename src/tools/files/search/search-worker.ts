import { parentPort, workerData } from 'node:worker_threads';
import { compileQuery, type FileMatches, filterPaths, type SearchQuery, searchBytes } from './line-search.ts';

/** The code of the search thread: it answers each question with one message, in order (see search-thread.ts). */
export type SearchQuestion = { paths: readonly string[]; glob: string } | { bytes: Uint8Array; limit: number };
export type SearchAnswer = string[] | FileMatches | null;

const query = workerData as SearchQuery;
const pattern = compileQuery(query);

function answer(question: SearchQuestion): SearchAnswer {
  if ('glob' in question) return filterPaths(question.paths, question.glob);
  return searchBytes(question.bytes, pattern, query.contextLines, question.limit);
}

parentPort?.on('message', (question: SearchQuestion) => parentPort?.postMessage(answer(question)));
