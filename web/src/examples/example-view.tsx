import { Link } from '@tanstack/react-router';
import { Clapperboard, PanelRight, Pause, Play } from 'lucide-react';
import { useMemo } from 'react';
import { newTaskDraft, writeDraft } from '../composer/use-draft.ts';
import { FileDialog } from '../previews/file-dialog.tsx';
import { ConversationList } from '../task/conversation-list.tsx';
import { useDisclosure } from '../task/use-disclosure.ts';
import { useOpenFile } from '../task/use-open-file.ts';
import { useRowTarget } from '../task/use-row-target.ts';
import { useWorkbench, type Workbench as WorkbenchState } from '../task/workbench/use-workbench.ts';
import { Workbench } from '../task/workbench/workbench.tsx';
import { WorkbenchFrame } from '../task/workbench/workbench-frame.tsx';
import { useText } from '../text/locale.ts';
import { Button, buttonClasses } from '../ui/controls/button.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Badge } from '../ui/display/badge.tsx';
import { usePageTitle } from '../ui/display/page.tsx';
import type { Example } from './example-bundle.ts';
import { type Playback, usePlayback } from './use-playback.ts';

interface ExampleHeaderProps {
  title: string;
  bench: WorkbenchState;
  playback: Playback;
}

function ExampleHeader({ title, bench, playback }: ExampleHeaderProps) {
  const { examples, workbench } = useText();
  const Icon = playback.isPlaying ? Pause : Play;
  return (
    <header className="flex min-h-13 shrink-0 items-center gap-2 border-b border-line py-1.5 pr-2 pl-3 sm:pl-5">
      <h1 tabIndex={-1} title={title} className="min-w-0 flex-1 truncate font-semibold">
        {title}
      </h1>
      <Badge>
        <Clapperboard aria-hidden className="size-3.5" />
        {examples.recorded}
      </Badge>
      <Button size="small" onClick={playback.toggle}>
        <Icon aria-hidden className="size-3.5" />
        {playback.isPlaying ? examples.pause : examples.play}
      </Button>
      <IconButton
        label={bench.isOpen ? workbench.hide : workbench.show}
        aria-expanded={bench.isOpen}
        icon={<PanelRight aria-hidden />}
        onClick={bench.toggle}
      />
    </header>
  );
}

/** Shown below the conversation: what the example is, and how to run it oneself. */
function ExampleNote({ request }: { request: string }) {
  const { examples } = useText();
  return (
    <div className="mx-auto w-full max-w-3xl px-3 pt-1 pb-3 sm:px-6 sm:pb-4 print:hidden">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-card px-4 py-3 text-sm">
        <p className="min-w-0 flex-1 basis-64 text-soft">{examples.note}</p>
        <Link to="/" hash="new" className={buttonClasses('primary', 'small')} onClick={() => writeDraft(newTaskDraft, request)}>
          {examples.reuse}
        </Link>
      </div>
    </div>
  );
}

/** A recorded task with its workbench, in which it plays. */
export function ExampleView({ name, example }: { name: string; example: Example }) {
  const { title, request, conversation } = example;
  const bench = useWorkbench(`example.${name}`, conversation);
  const playback = usePlayback(conversation.steps, bench.moment, bench.seek);
  const disclosure = useDisclosure();
  const { opened, openFile, enlarge, close } = useOpenFile(bench, conversation.files);
  const context = useMemo(() => ({ actions: null, disclosure, openFile }), [disclosure, openFile]);
  const byHand: WorkbenchState = {
    ...bench,
    seek: (key) => {
      playback.pause();
      bench.seek(key);
    },
  };
  const target = useRowTarget(byHand, disclosure);
  usePageTitle(title);
  return (
    <div data-fills-window className="flex h-full print:block print:h-auto">
      <div className="flex min-w-0 flex-1 flex-col print:block">
        <ExampleHeader title={title} bench={bench} playback={playback} />
        <ConversationList
          key={bench.moment === null ? 'live' : 'replay'}
          view={bench.shown.view()}
          context={context}
          history="complete"
          onRetryHistory={() => undefined}
          target={target.index}
          onReached={target.clear}
        />
        <ExampleNote request={request} />
      </div>
      <WorkbenchFrame bench={bench} isCovered={opened !== null}>
        <Workbench
          taskId={null}
          bench={byHand}
          task={null}
          isReader
          onOpenFile={openFile}
          onEnlarge={enlarge}
          onShowStep={target.show}
        />
      </WorkbenchFrame>
      <FileDialog file={opened} onClose={() => close?.()} />
    </div>
  );
}
