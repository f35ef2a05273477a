import type { Skill } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { callWeb } from '../api/web-call.ts';
import { CodeBlock } from '../markdown/code-block.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';

export interface SkillDialogProps {
  skill: Skill;
  /** The project whose skills are shown. */
  projectId: string | undefined;
  onClose(): void;
}

/** The extension of a file, which determines its highlighting. */
function languageOf(path: string): string {
  return path.split('.').at(-1) ?? '';
}

/** What tasks read of a skill: its text and files. */
export function SkillDialog({ skill, projectId, onClose }: SkillDialogProps) {
  const { skills } = useText();
  const format = useFormat();
  const found = useQuery({
    queryKey: ['skills', 'one', skill.id, skill.updated_at],
    queryFn: ({ signal }) =>
      callWeb('skill.show', { skill_id: skill.id, ...(projectId !== undefined && { project_id: projectId }) }, { signal }),
    staleTime: 60_000,
  });
  return (
    <Dialog isOpen isWide onClose={onClose} title={skill.name} lead={skill.description}>
      {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
      {found.isPending && <SkeletonList />}
      {found.data && <Markdown text={found.data.body} keepsLines={false} />}
      {found.data && found.data.files.length > 0 && (
        <section className="mt-6 border-t border-line pt-4">
          <h3 className="mb-2 font-medium">{skills.files}</h3>
          <ul className="flex flex-col gap-2">
            {found.data.files.map(({ path, size_bytes: size, text }) => (
              <li key={path}>
                {text === null ? (
                  <p className="py-1 text-sm text-soft">
                    <span className="font-mono wrap-anywhere text-ink">{path}</span> {format.bytes(size)} · {skills.notShown}
                  </p>
                ) : (
                  <details>
                    <summary className="rounded-sm py-1 text-sm text-soft">
                      <span className="font-mono wrap-anywhere text-ink">{path}</span> {format.bytes(size)}
                    </summary>
                    <div className="mt-1">
                      <CodeBlock code={text} language={languageOf(path)} />
                    </div>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
