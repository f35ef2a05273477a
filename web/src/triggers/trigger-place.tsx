import type { Trigger } from '@errand/client';
import { useText } from '../text/locale.ts';
import { CopyButton } from '../ui/feedback/copy-button.tsx';

/** Where others send to a trigger, its URL or its address, to be copied; or the folder that it watches. */
export function TriggerPlace({ trigger: { type, url, address, folder, folder_problem: problem } }: { trigger: Trigger }) {
  const { triggers } = useText();
  if (type === 'folder') {
    const place = [folder?.root, folder?.path, folder?.pattern].filter(Boolean).join('/');
    return (
      <div className="flex flex-col gap-2">
        <code className="rounded-md bg-hover px-3 py-1.5 font-mono text-sm wrap-anywhere">{place}</code>
        {problem !== undefined && <p className="text-sm text-soft">{problem}</p>}
      </div>
    );
  }
  const { name, copy } = triggers.places[type];
  const place = url ?? address;
  if (place === undefined) return <p className="text-sm text-soft">{triggers.noAddress}</p>;
  return (
    <div className="flex items-center gap-2 rounded-md bg-hover py-1.5 pr-1.5 pl-3">
      <code aria-label={name} className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
        {place}
      </code>
      <CopyButton text={place} label={copy} isLabelled />
    </div>
  );
}
