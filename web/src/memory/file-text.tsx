/** The text of a file as it is, in a frame that scrolls. */
export function FileText({ label, text }: { label: string; text: string }) {
  return (
    <div
      // Scrolled by keyboard too.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-96 overflow-auto rounded-md border border-line bg-card p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
    >
      {text}
    </div>
  );
}
