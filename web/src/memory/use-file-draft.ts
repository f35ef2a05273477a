import type { MemoryText } from '@errand/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errand, isNotFound } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { memoryFileQuery } from './memory-file-query.ts';
import { isConflict, keyOf, type MemoryPlace, once } from './memory-place.ts';

/** What is written: over which version, and whether the user vouches for it. */
export interface Draft {
  content: string;
  version: number;
  isTrusted: boolean;
}

/** What is stored in place of the version that was changed; null if the file was deleted. */
export interface StoredNow {
  file: MemoryText | null;
}

/** Reads what somebody else has written. */
function useStoredNow(place: MemoryPlace, path: string): () => Promise<StoredNow> {
  const client = useQueryClient();
  return async () => {
    try {
      return { file: await client.query({ ...memoryFileQuery(place, path), staleTime: 0 }) };
    } catch (error) {
      if (isNotFound(error)) return { file: null };
      throw error;
    }
  };
}

/** The text of a file while it is being changed. A version of somebody else is never overwritten unasked. */
export function useFileDraft(place: MemoryPlace, file: MemoryText) {
  const { memory } = useText();
  const { path } = file;
  const readStored = useStoredNow(place, path);
  const [draft, setDraft] = useState<Draft>({ content: file.content, version: file.version, isTrusted: false });
  const [base, setBase] = useState(file.content);
  const [conflict, setConflict] = useState<StoredNow | null>(null);
  const isDirty = draft.content !== base || draft.isTrusted;
  const take = ({ content, version }: MemoryText) => {
    setDraft({ content, version, isTrusted: false });
    setBase(content);
    setConflict(null);
  };
  // Nothing is lost by showing what somebody else has written.
  if (!isDirty && file.version > draft.version) take(file);
  const write = useAction(
    ({ content, version, isTrusted }: Draft) =>
      errand.memory.write({ ...place, path, content, if_version: version, ...(isTrusted && { is_tainted: false }) }, once),
    { changes: [keyOf(place)], isQuiet: true },
  );
  const save = async (chosen: Draft) => {
    try {
      const { memory: written } = await write.mutateAsync(chosen);
      setDraft((before) => ({ ...before, version: written.version, isTrusted: false }));
      setBase(chosen.content);
      setConflict(null);
      showToast(memory.saved);
    } catch (error) {
      if (isConflict(error)) setConflict(await readStored());
    }
  };
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const problem = isConflict(write.error) ? null : write.error;
  return { draft, change, isDirty, conflict, isSaving: write.isPending, problem, save, take };
}
