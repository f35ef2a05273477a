import type { Artifact } from '@errand/client/operations.ts';
import { Link } from '@tanstack/react-router';
import { ExternalLink, Maximize2 } from 'lucide-react';
import { useState } from 'react';
import { endingOf } from '../../previews/files/preview-kind.ts';
import type { PreviewFile } from '../../previews/files/preview-file.ts';
import { panelLinkClasses } from '../../previews/panel/panel-frame.tsx';
import { canOpenInTab, PreviewPanel } from '../../previews/preview-panel.tsx';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import type { Deliverable } from './deliverables.ts';
import { useForms } from './use-forms.ts';

interface DeliverableViewProps {
  /** Null for a recorded task. */
  taskId: string | null;
  deliverable: Deliverable;
  /** The deliverables as the library has them; empty for readers. */
  artifacts: readonly Artifact[];
  onEnlarge(file: PreviewFile): void;
}

/** A link to a page of its own, for what browsers show only there. */
function LibraryLink({ artifact }: { artifact: Artifact }) {
  const { previews } = useText();
  return (
    <Tooltip label={previews.openInTab}>
      <Link
        to="/library"
        search={{ artifact: artifact.id }}
        target="_blank"
        aria-label={previews.openInTab}
        className={panelLinkClasses}
      >
        <ExternalLink aria-hidden className="size-4.5" />
      </Link>
    </Tooltip>
  );
}

/** A deliverable in one of its forms. */
export function DeliverableView({ taskId, deliverable, artifacts, onEnlarge }: DeliverableViewProps) {
  const { workbench } = useText();
  const forms = useForms(taskId, deliverable);
  const [chosen, choose] = useState<string | null>(null);
  const form = forms.find(({ filename }) => filename === chosen) ?? forms[0];
  if (!form) return null;
  const artifact = artifacts.find(({ filename }) => forms.some((one) => one.filename === filename));
  const actions = (
    <>
      {forms.length > 1 && (
        <Select
          isQuiet
          aria-label={workbench.format}
          value={form.filename}
          options={forms.map(({ filename }) => ({ value: filename, label: endingOf(filename).toUpperCase() }))}
          onValueChange={choose}
        />
      )}
      <IconButton label={workbench.enlarge} icon={<Maximize2 aria-hidden />} onClick={() => onEnlarge(form)} />
      {artifact && !canOpenInTab(form) && <LibraryLink artifact={artifact} />}
    </>
  );
  return <PreviewPanel key={form.url} file={form} actions={actions} onRefresh={() => window.location.reload()} />;
}
