import { RotateCw } from 'lucide-react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import type { RepeatRow } from '../conversation/row.ts';

/** A command or tool runs again: what its first run did may stand. */
export function RepeatMark({ row }: { row: RepeatRow }) {
  const { task } = useText();
  const format = useFormat();
  return (
    <p className="flex items-center gap-1.5 pt-2 text-xs text-soft" title={format.dateTime(row.atMs)}>
      <RotateCw aria-hidden className="size-3.5 shrink-0" />
      <span>{task.repeated[row.reason](row.tool, format.dateTime(row.firstAtMs))}</span>
    </p>
  );
}
