const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The modifier key: ⌘ on Apple devices, Ctrl elsewhere. */
export const commandKey = isApple ? '⌘' : 'Ctrl';

/** A key, or several pressed together. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.map((key) => (
        <kbd key={key} className="rounded-sm border border-current/30 px-1.25 font-sans text-xs leading-4.5">
          {key}
        </kbd>
      ))}
    </span>
  );
}
