import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../text/locale.ts';

/** Debounce before a request. */
const debounceMs = 250;

/** Filters the library by name. The query is part of the URL. */
export function NameSearch({ value }: { value: string }) {
  const { library } = useText();
  const navigate = useNavigate({ from: '/library' });
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  // The URL changed elsewhere, as by going back.
  if (lastValue !== value) {
    setLastValue(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => {
      void navigate({
        search: ({ query: _query, ...rest }) => (text.trim() === '' ? rest : { ...rest, query: text }),
        replace: true,
        resetScroll: false,
      });
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [text, value, navigate]);
  return (
    <label className="relative block max-sm:flex-1">
      <span className="sr-only">{library.search}</span>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" />
      <input
        type="search"
        value={text}
        placeholder={library.search}
        maxLength={200}
        className="min-h-9.5 w-56 max-w-full max-sm:w-full rounded-md border border-edge bg-card pr-3 pl-9 text-sm"
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
