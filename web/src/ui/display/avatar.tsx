/** Initials in place of a profile picture. The name appears beside it. */
export function Avatar({ name, className = 'size-7' }: { name: string; className?: string }) {
  const letters = name
    .split(/[\s@._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
  return (
    <span
      aria-hidden
      className={`inline-flex shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent ${className}`}
    >
      {letters}
    </span>
  );
}
