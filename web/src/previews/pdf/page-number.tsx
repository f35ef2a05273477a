import { useState } from 'react';
import { useText } from '../../text/locale.ts';

interface PageNumberProps {
  at: number;
  count: number;
  onGo: (page: number) => void;
}

/** The current page, editable to go to another. */
export function PageNumber({ at, count, onGo }: PageNumberProps) {
  const { previews } = useText();
  /** The text being typed; null when the field is not being edited. */
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const page = Number.parseInt(typed ?? '', 10);
    setTyped(null);
    if (page >= 1) onGo(Math.min(page, count));
  };
  return (
    <form
      className="flex items-center gap-1.5 px-1 text-xs text-soft tabular-nums"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <input
        type="text"
        inputMode="numeric"
        aria-label={previews.pageNumber}
        value={typed ?? String(at)}
        className="h-7 w-11 rounded-md border border-edge bg-card text-center text-ink"
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setTyped(currentTarget.value.replaceAll(/\D/g, '').slice(0, 5))}
        onBlur={go}
      />
      <span role="status" aria-label={previews.page(at, count)}>
        {previews.pageCount(count)}
      </span>
    </form>
  );
}
