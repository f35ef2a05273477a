import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showError } from './toast.tsx';

export interface ActionOptions<Result> {
  /** Queries to refetch afterward. */
  changes?: readonly QueryKey[];
  onDone?(result: Result): void;
  onFailed?(): void;
  /** The form itself shows errors. */
  isQuiet?: boolean;
}

/** A user's request to the service: refetches what it changes, and reports errors. */
export function useAction<Input, Result>(
  act: (input: Input) => Promise<Result>,
  { changes = [], onDone, onFailed, isQuiet = false }: ActionOptions<Result> = {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async (result) => {
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
      onDone?.(result);
    },
    onError: (error) => {
      if (!isQuiet) showError(error);
      onFailed?.();
    },
  });
}
