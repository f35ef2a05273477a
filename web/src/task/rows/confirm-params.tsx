import { CodeFrame } from './code-frame.tsx';

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** Short values, shown on one line. */
function isPlain(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** Exactly what will be done, field by field. A single field needs no name. */
export function ConfirmParams({ params }: { params: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const texts = entries.filter(([, value]) => !isPlain(value));
  const plain = entries.filter(([, value]) => isPlain(value));
  return (
    <dl className="mt-2 flex flex-col gap-2 text-sm">
      {texts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className={texts.length === 1 ? 'sr-only' : 'mb-0.5 text-xs text-soft'}>{name}</dt>
          <dd>
            <CodeFrame
              label={name}
              code={show(value)}
              language={name === 'command' ? 'bash' : ''}
              className="max-h-64 rounded-md border border-line bg-card text-xs whitespace-pre-wrap wrap-anywhere"
            />
          </dd>
        </div>
      ))}
      {plain.map(([name, value]) => (
        <div key={name} className="flex gap-2 text-xs text-soft">
          <dt>{name}</dt>
          <dd className="font-mono">{show(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
