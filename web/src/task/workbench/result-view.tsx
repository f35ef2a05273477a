import type { Attachment } from '@errand/client';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import type { PreviewFile } from '../../previews/files/preview-file.ts';
import { PreviewLoading } from '../../previews/panel/preview-loading.tsx';
import { isSite } from '../../previews/website/is-site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { TabPanel, Tabs } from '../../ui/display/tabs.tsx';
import type { Conversation } from '../conversation/conversation.ts';
import { FileList } from '../panel/file-list.tsx';
import { listDeliverables, newestDeliverable } from './deliverables.ts';
import { useTaskArtifacts } from './use-task-artifacts.ts';

const DeliverableView = lazy(async () => ({ default: (await import('./deliverable-view.tsx')).DeliverableView }));
const WebsitePanel = lazy(async () => ({ default: (await import('../../previews/website/website-panel.tsx')).WebsitePanel }));

export interface ResultViewProps {
  /** Null for a recorded task. */
  taskId: string | null;
  conversation: Conversation;
  /** Whether it belongs to another user. */
  isReader: boolean;
  /** The key of the chosen deliverable; null for the newest. */
  chosen: string | null;
  onChoose(key: string): void;
  onOpenFile(file: Attachment): void;
  onEnlarge(file: PreviewFile): void;
}

interface Entry {
  key: string;
  name: string;
  content: ReactNode;
}

/** The key of the tab with all files. */
const filesKey = 'files';

function useEntries({ taskId, conversation, isReader, onOpenFile, onEnlarge }: ResultViewProps): readonly Entry[] {
  const { workbench } = useText();
  const { files, status } = conversation;
  const artifacts = useTaskArtifacts(taskId, `${status} ${files.length}`);
  const made = listDeliverables(files).map((deliverable): Entry => {
    const { key, name } = deliverable;
    return { key, name, content: <DeliverableView {...{ taskId, deliverable, artifacts, onEnlarge }} /> };
  });
  const sites = artifacts.filter(isSite).map(({ id, display_name: name }): Entry => {
    return { key: id, name, content: <WebsitePanel websiteId={id} name={name} /> };
  });
  const list = (
    <div className="overflow-y-auto p-5">
      <FileList files={files} isReader={isReader} isUntitled onOpen={onOpenFile} />
    </div>
  );
  return [...made, ...sites, { key: filesKey, name: workbench.allFiles, content: list }];
}

/** The deliverables of a task in tabs, and a list of all its files. */
export function ResultView(props: ResultViewProps) {
  const { conversation, chosen, onChoose } = props;
  const { workbench } = useText();
  const format = useFormat();
  const entries = useEntries(props);
  const preferred = newestDeliverable(listDeliverables(conversation.files))?.key ?? entries[0]?.key;
  const key = entries.some((entry) => entry.key === chosen) ? chosen : preferred;
  const at = entries.findIndex((entry) => entry.key === key);
  const turn = (step: number) => {
    const next = entries[at + step];
    if (next) onChoose(next.key);
  };
  const turnButtons = entries.length > 1 && (
    <div className="flex shrink-0 items-center border-b border-line pr-2 pl-1">
      <IconButton label={workbench.previousFile} icon={<ChevronLeft aria-hidden />} disabled={at <= 0} onClick={() => turn(-1)} />
      <span className="px-1 text-xs whitespace-nowrap text-soft tabular-nums">
        {workbench.position(format.number(at + 1), format.number(entries.length))}
      </span>
      <IconButton
        label={workbench.nextFile}
        icon={<ChevronRight aria-hidden />}
        disabled={at >= entries.length - 1}
        onClick={() => turn(1)}
      />
    </div>
  );
  return (
    <Tabs
      label={workbench.deliverables}
      value={key ?? filesKey}
      onValueChange={onChoose}
      tabs={entries.map((entry) => ({ value: entry.key, label: <span className="block max-w-48 truncate">{entry.name}</span> }))}
      aside={turnButtons}
      className="flex min-h-0 flex-1 flex-col"
    >
      {entries.map((entry) => (
        <TabPanel key={entry.key} value={entry.key} className="flex min-h-0 flex-1 flex-col -outline-offset-2">
          <Suspense fallback={<PreviewLoading />}>{entry.content}</Suspense>
        </TabPanel>
      ))}
    </Tabs>
  );
}
