import { useState } from 'react';

/** The selected tasks of a list, for actions on several. */
export interface Selection {
  /** Null while nothing is being selected. */
  ids: ReadonlySet<string> | null;
  /** Starts selecting with the first one. */
  toggle(taskId: string): void;
  end(): void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  return {
    ids,
    toggle: (taskId) => {
      const next = new Set(ids);
      if (!next.delete(taskId)) next.add(taskId);
      setIds(next);
    },
    end: () => setIds(null),
  };
}
