import type { Attachment } from '@errand/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fileOfAttachment, type PreviewFile } from '../previews/files/preview-file.ts';
import type { TaskFile } from './conversation/row.ts';
import { useMedia } from './use-media.ts';
import { type Deliverable, listDeliverables } from './workbench/deliverables.ts';
import type { Workbench } from './workbench/use-workbench.ts';

/** Wide enough to look at files beside the conversation. */
const roomy = '(min-width: 90rem)';

/** Opens files: beside the conversation if there is space and this very file is shown there, else in front of everything. */
export function useOpenFile(bench: Pick<Workbench, 'showDeliverable'>, files: readonly TaskFile[]) {
  const [opened, setOpened] = useState<PreviewFile | null>(null);
  const isRoomy = useMedia(roomy);
  const latest = useRef<(file: Attachment) => void>(() => undefined);
  useEffect(() => {
    latest.current = (file) => {
      const isShown = ({ forms: [first] }: Deliverable) => first?.url === file.url;
      const deliverable = isRoomy ? listDeliverables(files).find(isShown) : undefined;
      if (deliverable) bench.showDeliverable(deliverable.key);
      else setOpened(fileOfAttachment(file));
    };
  });
  const openFile = useCallback((file: Attachment) => latest.current(file), []);
  return { opened, openFile, enlarge: setOpened, close: opened && (() => setOpened(null)) };
}
