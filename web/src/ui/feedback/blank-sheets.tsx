/** Two blank sheets of paper, drawn behind an icon. */
export function BlankSheets() {
  return (
    <svg aria-hidden viewBox="0 0 144 96" fill="none" strokeWidth="1.5" strokeLinecap="round" className="absolute inset-0">
      <ellipse cx="72" cy="90" rx="54" ry="4" className="fill-accent-soft" />
      <g className="fill-card stroke-edge">
        <path
          transform="rotate(-9 48 50)"
          d="M30 20h36a5 5 0 0 1 5 5v50a5 5 0 0 1-5 5H30a5 5 0 0 1-5-5V25a5 5 0 0 1 5-5zM33 32h14M33 42h8"
        />
        <path
          transform="rotate(8 96 50)"
          d="M78 16h36a5 5 0 0 1 5 5v54a5 5 0 0 1-5 5H78a5 5 0 0 1-5-5V21a5 5 0 0 1 5-5zM98 28h13M104 38h7"
        />
      </g>
      <circle cx="72" cy="52" r="24" className="fill-accent-soft stroke-accent" />
      <path d="M14 30v8M10 34h8M131 60v6M128 63h6M60 10v4M58 12h4" className="stroke-accent" />
    </svg>
  );
}
