import { FileText, Image } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../text/locale.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { ExternalLink } from '../../ui/display/link.tsx';
import type { GrowingFile } from '../conversation/growing-file.ts';
import type { ToolCall } from '../conversation/row.ts';
import { Terminal } from './terminal.tsx';

interface FrameProps {
  title: string;
  icon: ReactNode;
  name: ReactNode;
  state?: ReactNode;
  children: ReactNode;
}

function Frame({ title, icon, name, state, children }: FrameProps) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      <div className="overflow-hidden rounded-lg border border-line bg-card">
        <div className="flex items-center gap-2 border-b border-line px-3 py-2 text-sm">
          {icon}
          <h3 className="min-w-0 flex-1 truncate font-mono font-medium">{name}</h3>
          {state}
        </div>
        {children}
      </div>
    </section>
  );
}

/** The file that the agent writes, as text whatever it is: its newest part, while it grows. */
export function GrowingFileView({ file }: { file: GrowingFile }) {
  const { workbench } = useText();
  return (
    <Frame
      title={workbench.file}
      icon={<FileText aria-hidden className="size-4 shrink-0 text-soft" />}
      name={file.path}
      state={
        <Badge tone={file.isWritten ? 'good' : 'plain'}>{file.isWritten ? workbench.fileWritten : workbench.fileGrows}</Badge>
      }
    >
      <Terminal key={file.actionId} label={file.path} output={file.isCut ? `…${file.text}` : file.text} />
    </Frame>
  );
}

/** The newest chart or picture that the agent has made. */
export function MadePicture({ picture: { path, url } }: { picture: ToolCall['pictures'][number] }) {
  const { workbench } = useText();
  return (
    <Frame
      title={workbench.picture}
      icon={<Image aria-hidden className="size-4 shrink-0 text-soft" />}
      name={<ExternalLink href={url}>{path}</ExternalLink>}
    >
      <img src={url} alt={path} className="mx-auto max-h-[45dvh] w-auto max-w-full bg-paper" />
    </Frame>
  );
}
