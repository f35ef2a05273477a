import type { Attachment, Task } from '@errand/client';
import type { ReactNode } from 'react';
import type { PreviewFile } from '../../previews/files/preview-file.ts';
import { useText } from '../../text/locale.ts';
import { TabPanel, Tabs } from '../../ui/display/tabs.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import type { Step } from '../conversation/step.ts';
import { Scrubber } from '../replay/scrubber.tsx';
import { NowView } from './now-view.tsx';
import { ResultView } from './result-view.tsx';
import { StepsView } from './steps-view.tsx';
import type { Workbench as WorkbenchState } from './use-workbench.ts';

/** What the task itself has. */
const ownViews = ['now', 'steps', 'result'] as const;

export interface WorkbenchProps {
  /** Null for a recorded task, of which the service knows nothing. */
  taskId: string | null;
  bench: WorkbenchState;
  /** Null until loaded. */
  task: Task | null;
  /** Whether it belongs to another user. */
  isReader: boolean;
  onOpenFile(file: Attachment): void;
  onEnlarge(file: PreviewFile): void;
  /** Shows a step in the conversation. */
  onShowStep(step: Step): void;
  /** What people write about the task, and the label of its tab; absent where nobody can. */
  comments?: { label: string; view: ReactNode };
}

/** The other half of a task: what happens now, every step of the run, and its result. */
export function Workbench({ taskId, bench, task, isReader, onOpenFile, onEnlarge, onShowStep, comments }: WorkbenchProps) {
  const { workbench } = useText();
  const { shown: conversation } = bench;
  const further = comments ? [{ value: 'comments' as const, label: comments.label }] : [];
  const panelClasses = 'min-h-0 flex-1 -outline-offset-2';
  const openTrace = (eventId: string) => {
    bench.trace(eventId);
    bench.choose('steps');
  };
  return (
    <>
      <Tabs
        label={workbench.views}
        value={bench.view === 'comments' && !comments ? 'now' : bench.view}
        onValueChange={bench.choose}
        tabs={[...ownViews.map((value) => ({ value, label: workbench[value] })), ...further]}
        className="flex min-h-0 flex-1 flex-col"
        listClassName={joinClasses('min-h-13 items-end px-3', !bench.isWide && 'pr-14')}
      >
        <TabPanel value="now" className={joinClasses(panelClasses, 'overflow-y-auto')}>
          <NowView conversation={conversation} task={task} isReader={isReader} isPresent={bench.moment === null} />
        </TabPanel>
        <TabPanel value="steps" className={joinClasses(panelClasses, 'flex flex-col')}>
          <StepsView
            costsOf={isReader ? null : taskId}
            conversation={bench.live}
            moment={bench.moment}
            traced={bench.traced}
            onTrace={bench.trace}
            onShow={onShowStep}
          />
        </TabPanel>
        <TabPanel value="result" className={joinClasses(panelClasses, 'flex flex-col')}>
          <ResultView
            taskId={taskId}
            conversation={conversation}
            isReader={isReader}
            chosen={bench.deliverable}
            onChoose={bench.showDeliverable}
            onOpenFile={onOpenFile}
            onEnlarge={onEnlarge}
          />
        </TabPanel>
        {comments && (
          <TabPanel value="comments" className={joinClasses(panelClasses, 'flex flex-col data-[state=inactive]:hidden')}>
            {comments.view}
          </TabPanel>
        )}
      </Tabs>
      {bench.live.steps.length > 0 && (
        <Scrubber live={bench.live} moment={bench.moment} onSeek={bench.seek} onTrace={openTrace} />
      )}
    </>
  );
}
