import { useText } from '../text/locale.ts';
import { CopyButton } from '../ui/feedback/copy-button.tsx';

/** The URL of a trigger, to be copied. */
export function TriggerUrl({ url }: { url: string }) {
  const { triggers } = useText();
  return (
    <div className="flex items-center gap-2 rounded-md bg-hover py-1.5 pr-1.5 pl-3">
      <code aria-label={triggers.url} className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
        {url}
      </code>
      <CopyButton text={url} label={triggers.copyUrl} isLabelled />
    </div>
  );
}
