import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { startTrustedWorker } from '../files/trusted-worker.ts';
import { callWorker } from '../files/worker-call.ts';
import { type CodeLine, splitPlainLines } from './code-lines.ts';
import { languageOfFile } from './code-language.ts';
import type { HighlightQuestion } from './highlight-worker.ts';
// oxlint-disable-next-line import/default -- the build provides the URL of the file
import workerUrl from './highlight-worker.ts?worker&url';

/** Longer texts stay in one color. Characters. */
const longestHighlighted = 400_000;
const timeoutMs = 4_000;

const startWorker = () => startTrustedWorker(workerUrl);

/** The lines of a file: immediately as plain text, and highlighted once a worker is done. */
export function useCodeLines(url: string, filename: string, text: string): readonly CodeLine[] {
  const language = text.length > longestHighlighted ? null : languageOfFile(filename);
  const { data } = useQuery({
    queryKey: ['file', 'highlighted', url],
    queryFn: ({ signal }) => {
      const question: HighlightQuestion = { text, language: language ?? '' };
      return callWorker<CodeLine[]>(startWorker, question, { timeoutMs, signal });
    },
    enabled: language !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    structuralSharing: false,
  });
  const plain = useMemo(() => splitPlainLines(text), [text]);
  return data ?? plain;
}
