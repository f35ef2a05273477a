import type { Trigger } from '@errand/client';
import { useText } from '../text/locale.ts';
import { CopyButton } from '../ui/feedback/copy-button.tsx';

/** The place that a trigger watches, and what keeps the service from looking at it; null for other triggers. */
function watchedPlace({ folder, folder_problem: folderProblem, bucket, bucket_problem: bucketProblem }: Trigger) {
  if (bucket) {
    const { endpoint, name, prefix, pattern } = bucket;
    return { place: `${endpoint}/${name}/${prefix}${pattern}`, problem: bucketProblem };
  }
  if (!folder) return null;
  return { place: [folder.root, folder.path, folder.pattern].filter(Boolean).join('/'), problem: folderProblem };
}

/** Where others send to a trigger, its URL or its address, to be copied; or the folder or bucket that it watches. */
export function TriggerPlace({ trigger }: { trigger: Trigger }) {
  const { type, url, address } = trigger;
  const { triggers } = useText();
  const watched = watchedPlace(trigger);
  if (type === 'folder' || type === 'bucket') {
    return (
      <div className="flex flex-col gap-2">
        <code className="rounded-md bg-hover px-3 py-1.5 font-mono text-sm wrap-anywhere">{watched?.place}</code>
        {watched?.problem !== undefined && <p className="text-sm text-warn">{watched.problem}</p>}
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
