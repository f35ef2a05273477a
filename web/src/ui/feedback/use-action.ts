import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showError } from './toast.tsx';

export interface ActionOptions<Result> {
  /** What is read again afterwards. */
  changes?: readonly QueryKey[];
  onDone?(result: Result): void;
  onFailed?(): void;
  /** The form itself says what is wrong. */
  isQuiet?: boolean;
}

/** Something that a person asks the service to do: what it changes is read again, and why it failed is said. */
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
