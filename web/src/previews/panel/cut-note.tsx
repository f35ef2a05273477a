import { useText } from '../../text/locale.ts';

/** The note that only the beginning is shown. */
export function CutNote() {
  const { previews } = useText();
  return <p className="shrink-0 border-b border-line bg-warn-soft px-4 py-2 text-sm text-warn">{previews.cut}</p>;
}
