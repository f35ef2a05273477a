import { LoaderCircle } from 'lucide-react';

/** Turns beside a text that says what is under way. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return <LoaderCircle aria-hidden className={`spin shrink-0 ${className}`} />;
}
