import type { MemoryText } from '@errand/client';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { FileText } from './file-text.tsx';
import type { StoredNow } from './use-file-draft.ts';

interface ConflictProps {
  stored: StoredNow;
  isBusy: boolean;
  onTheirs(file: MemoryText): void;
  /** @param version that is replaced */
  onMine(version: number): void;
}

/** Says that somebody else has written the file in the meantime, and asks which text counts. */
export function Conflict({ stored: { file }, isBusy, onTheirs, onMine }: ConflictProps) {
  const { memory } = useText();
  return (
    <section aria-label={memory.conflictTitle} className="flex flex-col gap-3 rounded-lg border border-warn bg-warn-soft p-4">
      <div role="alert">
        <h2 className="font-medium text-warn">{memory.conflictTitle}</h2>
        <p className="mt-1 text-sm">{file ? memory.conflictBody : memory.conflictGone}</p>
      </div>
      {file && <FileText label={memory.conflictStored} text={file.content} />}
      <div className="flex flex-wrap gap-2">
        {file && (
          <Button size="small" disabled={isBusy} onClick={() => onTheirs(file)}>
            {memory.useTheirs}
          </Button>
        )}
        <Button size="small" look="primary" isBusy={isBusy} onClick={() => onMine(file?.version ?? 0)}>
          {memory.saveMine}
        </Button>
      </div>
    </section>
  );
}
