import type { MemoryFile } from '@errand/client';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';

/** What limits the tasks that read a file. */
export function FileMarks({ file }: { file: Pick<MemoryFile, 'is_tainted' | 'is_private'> }) {
  const { memory } = useText();
  return (
    <>
      {file.is_tainted && (
        <span title={memory.taintedTitle}>
          <Badge tone="warn">{memory.tainted}</Badge>
        </span>
      )}
      {file.is_private && (
        <span title={memory.privateTitle}>
          <Badge>{memory.private}</Badge>
        </span>
      )}
    </>
  );
}
