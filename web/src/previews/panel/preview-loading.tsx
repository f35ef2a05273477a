import { useText } from '../../text/locale.ts';
import { Spinner } from '../../ui/display/spinner.tsx';

/** Shown while a file, or the code that renders it, is loading. */
export function PreviewLoading({ label }: { label?: string }) {
  const { previews } = useText();
  return (
    <div role="status" className="flex min-h-48 flex-1 items-center justify-center gap-2 text-sm text-soft">
      <Spinner />
      {label ?? previews.loading}
    </div>
  );
}
