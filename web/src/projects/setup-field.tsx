import type { Project } from '@errand/client';
import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { Badge, type Tone } from '../ui/display/badge.tsx';
import { Time } from '../ui/display/time.tsx';

const longestScript = 20_000;

type Status = Project['setup']['status'];

const tones: Record<Status, Tone> = { none: 'plain', pending: 'plain', running: 'warn', ready: 'good', failed: 'bad' };

/** What became of a project's setup script, and the last of what it wrote. */
function SetupState({ project: { setup } }: { project: Project }) {
  const { projects } = useText();
  const { status, output, ended_at: endedAt } = setup;
  if (status === 'none') return null;
  return (
    <div aria-live="polite" className="-mt-2 flex flex-col gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[status]}>{projects.setupStatus[status]}</Badge>
        <span className="text-soft">{projects.setupMeaning[status]}</span>
        {endedAt !== null && <Time ms={endedAt * 1000} className="text-xs text-soft" />}
      </p>
      {output !== '' && (
        <pre
          aria-label={projects.setupOutput}
          className="max-h-60 overflow-auto rounded-md bg-hover p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
        >
          {output}
        </pre>
      )}
    </div>
  );
}

export interface SetupFieldProps {
  /** Null for a new project. */
  project: Project | null;
  script: string;
  problem: string | null;
  onChange(part: { setup_script: string }): void;
}

/** The setup script of a project, and how it ran last. */
export function SetupField({ project, script, problem, onChange }: SetupFieldProps) {
  const { projects } = useText();
  return (
    <>
      <Field label={projects.setup} hint={projects.setupHint} problem={problem} isOptional>
        {(control) => (
          <TextArea
            {...control}
            className="min-h-24 font-mono text-xs"
            spellCheck={false}
            placeholder={projects.setupExample}
            maxLength={longestScript}
            value={script}
            onChange={(event) => onChange({ setup_script: event.target.value })}
          />
        )}
      </Field>
      {project && <SetupState project={project} />}
    </>
  );
}
