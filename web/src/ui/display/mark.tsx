/** The mark of the application, in the color of the text around it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="8 8 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      className={className}
    >
      <path d="M22 10H12.5a2.5 2.5 0 0 0-2.5 2.5v7a2.5 2.5 0 0 0 2.5 2.5H22M10.5 16H20" />
    </svg>
  );
}
