import type { Attachment, Task } from '@errand/client';
import type { PreviewFile } from '../../previews/files/preview-file.ts';
import { useText } from '../../text/locale.ts';
import { TabPanel, Tabs } from '../../ui/display/tabs.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import type { Step } from '../conversation/step.ts';
import { Scrubber } from '../replay/scrubber.tsx';
import { NowView } from './now-view.tsx';
import { ResultView } from './result-view.tsx';
import { StepsView } from './steps-view.tsx';
import { type Workbench as WorkbenchState, workbenchViews } from './use-workbench.ts';

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
}

/** The other half of a task: what happens now, every step of the run, and its result. */
export function Workbench({ taskId, bench, task, isReader, onOpenFile, onEnlarge, onShowStep }: WorkbenchProps) {
  const { workbench } = useText();
  const { shown: conversation } = bench;
  const panelClasses = 'min-h-0 flex-1 -outline-offset-2';
  const openTrace = (eventId: string) => {
    bench.trace(eventId);
    bench.choose('steps');
  };
  return (
    <>
      <Tabs
        label={workbench.views}
        value={bench.view}
        onValueChange={bench.choose}
        tabs={workbenchViews.map((view) => ({ value: view, label: workbench[view] }))}
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
      </Tabs>
      <Scrubber live={bench.live} moment={bench.moment} onSeek={bench.seek} onTrace={openTrace} />
    </>
  );
}
