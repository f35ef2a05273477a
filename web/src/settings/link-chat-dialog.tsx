import { useQuery } from '@tanstack/react-query';
import { chatsQuery } from '../api/settings-queries.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { CopyButton } from '../ui/feedback/copy-button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { ExternalLink } from '../ui/display/link.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { platformNames } from './platform-names.ts';

/** Polling interval for the link, in milliseconds. */
const pollIntervalMs = 3_000;

/** Shows a code that links the chat from which it is sent. The list behind it is polled meanwhile, so the chat appears there. */
export function LinkChatDialog({ onClose }: { onClose(): void }) {
  const { settings } = useText();
  const made = useQuery({
    queryKey: ['chat code'],
    queryFn: () => callWeb('bridge.link', {}),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  useQuery({ ...chatsQuery, refetchInterval: pollIntervalMs });
  const command = `/link ${made.data?.code ?? ''}`;
  return (
    <Dialog isOpen onClose={onClose} title={settings.linkChat} lead={settings.linkChatLead}>
      {made.error && <ErrorState error={made.error} onRetry={made.refetch} />}
      {made.isPending && <Skeleton className="h-12" />}
      {made.data && (
        <>
          <div className="flex items-center gap-2 rounded-md bg-hover py-1.5 pr-1.5 pl-3">
            <code className="min-w-0 flex-1 font-mono select-all">{command}</code>
            <CopyButton text={command} isLabelled />
          </div>
          <ul className="mt-4 flex flex-col gap-1.5 text-sm">
            {made.data.bots.map(({ platform, name, url }) => (
              <li key={platform}>
                {platformNames[platform]}: {url === null ? name : <ExternalLink href={url}>{name}</ExternalLink>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
