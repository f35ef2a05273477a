import { LoaderCircle } from 'lucide-react';

/** Spins next to a text that names the activity. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return <LoaderCircle aria-hidden className={`spin shrink-0 ${className}`} />;
}
