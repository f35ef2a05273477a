import { useSession } from '../api/session.ts';
import { ChoiceField } from '../automation/choice-field.tsx';
import { useText } from '../text/locale.ts';
import { TextField } from '../ui/controls/field.tsx';
import type { FormProblems } from '../ui/feedback/form-problem.tsx';
import type { TriggerForm } from './trigger-request.ts';

interface FolderFieldsProps {
  form: TriggerForm;
  problems: FormProblems;
  onChange(part: Partial<TriggerForm>): void;
}

/** The operator's names for the folders that may be watched; empty for none. */
export function useWatchRoots(): readonly string[] {
  return useSession().data?.instance.watch_roots ?? [];
}

/** The fields for the files that start tasks; or a note that no folder may be watched. */
export function FolderFields({ form: { folder }, problems, onChange }: FolderFieldsProps) {
  const { triggers } = useText();
  const roots = useWatchRoots();
  if (roots.length === 0) return <p className="text-sm text-warn">{triggers.noRoots}</p>;
  const change = (part: Partial<TriggerForm['folder']>) => onChange({ folder: { ...folder, ...part } });
  // The root of a trigger that exists may be gone.
  const names = [...new Set([...roots, folder.root])].filter((name) => name !== '');
  return (
    <>
      <ChoiceField
        label={triggers.folderRoot}
        hint={triggers.folderRootHint}
        value={folder.root}
        names={Object.fromEntries(names.map((name) => [name, name]))}
        problem={problems.of('folder')}
        onChange={(root) => change({ root })}
      />
      <TextField
        label={triggers.folderPath}
        hint={triggers.folderPathHint}
        isOptional
        spellCheck={false}
        value={folder.path}
        onChange={(event) => change({ path: event.target.value })}
      />
      <TextField
        label={triggers.folderPattern}
        hint={triggers.folderPatternHint}
        isOptional
        spellCheck={false}
        value={folder.pattern}
        onChange={(event) => change({ pattern: event.target.value })}
      />
    </>
  );
}
