import { ExternalLink, Play, RotateCw, Server as ServerIcon } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button, buttonClasses } from '../../ui/controls/button.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import { type Server, useServers } from './use-servers.ts';

interface PortChoiceProps {
  servers: readonly Server[];
  chosen: Server;
  onChoose(port: number): void;
}

/** Which server is shown; its name alone if there is one. */
function PortChoice({ servers, chosen, onChoose }: PortChoiceProps) {
  const { servers: text } = useText().workbench;
  if (servers.length === 1) return <p className="grow font-medium whitespace-nowrap">{text.port(String(chosen.port))}</p>;
  return (
    <div role="group" aria-label={text.ports} className="flex min-w-0 flex-1 flex-wrap gap-1">
      {servers.map(({ port }) => (
        <Button
          key={port}
          size="small"
          look={port === chosen.port ? 'secondary' : 'quiet'}
          aria-pressed={port === chosen.port}
          onClick={() => onChoose(port)}
        >
          {text.port(String(port))}
        </Button>
      ))}
    </div>
  );
}

/** One server: its page, once a person asks for it, and the way to a tab of its own. */
function ServerCard({ servers, chosen, onChoose }: PortChoiceProps) {
  const { servers: text } = useText().workbench;
  const [shown, setShown] = useState<{ url: string; times: number } | null>(null);
  const isShown = shown?.url === chosen.url;
  const show = () => setShown((before) => ({ url: chosen.url, times: (before?.times ?? 0) + 1 }));
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-card">
      <div className="flex min-h-11 flex-wrap items-center gap-2 px-3 py-1.5 text-sm">
        <ServerIcon aria-hidden className="size-4 shrink-0 text-soft" />
        <PortChoice servers={servers} chosen={chosen} onChoose={onChoose} />
        <Button size="small" onClick={show}>
          {isShown ? <RotateCw aria-hidden className="size-3.5" /> : <Play aria-hidden className="size-3.5" />}
          {isShown ? text.reload : text.show}
        </Button>
        <a href={chosen.url} target="_blank" rel="noopener noreferrer" className={buttonClasses('secondary', 'small')}>
          <ExternalLink aria-hidden className="size-3.5" />
          {text.open}
        </a>
      </div>
      {isShown && (
        <iframe
          key={shown.times}
          src={chosen.url}
          title={text.frame(String(chosen.port))}
          sandbox="allow-scripts allow-forms allow-modals allow-downloads allow-pointer-lock"
          referrerPolicy="no-referrer"
          className="block h-105 w-full border-t border-line bg-white scheme-light"
        />
      )}
      <p className="border-t border-line px-3 py-2 text-sm text-soft">{text.privacy}</p>
    </div>
  );
}

export interface ServerPreviewProps {
  taskId: string;
  /** Whether the agent works on the task. */
  isHeld: boolean;
  /** Whether something runs in the background, of which a server may come. */
  hasBackground: boolean;
}

/** The servers that the agent has started in its sandbox, for the owner of the task. */
export function ServerPreview({ taskId, isHeld, hasBackground }: ServerPreviewProps) {
  const { servers: text } = useText().workbench;
  const { servers, last, isKnown } = useServers(taskId, isHeld);
  const [port, setPort] = useState<number | null>(null);
  const chosen = servers.find((one) => one.port === port) ?? servers[0];
  const isAwaited = isHeld && isKnown && hasBackground;
  if (!chosen && !last && !isAwaited) return null;
  return (
    <section aria-label={text.title}>
      <h2 className="mb-2 text-sm font-semibold">{text.title}</h2>
      {chosen && <ServerCard servers={servers} chosen={chosen} onChoose={setPort} />}
      <p role="status" className={joinClasses('text-sm text-soft', chosen && 'sr-only')}>
        {!chosen && (last ? text.ended(String(last.port)) : text.none)}
      </p>
    </section>
  );
}
