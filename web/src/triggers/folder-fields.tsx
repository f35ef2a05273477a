import { useText } from '../text/locale.ts';
import { TextField } from '../ui/controls/field.tsx';
import type { FormProblems } from '../ui/feedback/form-problem.tsx';
import type { TriggerForm } from './trigger-request.ts';

interface FolderFieldsProps {
  form: TriggerForm;
  problems: FormProblems;
  onChange(part: Partial<TriggerForm>): void;
}

/** Which files start tasks. */
export function FolderFields({ form: { folder }, problems, onChange }: FolderFieldsProps) {
  const { triggers } = useText();
  const change = (part: Partial<TriggerForm['folder']>) => onChange({ folder: { ...folder, ...part } });
  return (
    <>
      <TextField
        label={triggers.folderRoot}
        hint={triggers.folderRootHint}
        required
        spellCheck={false}
        value={folder.root}
        problem={problems.of('folder')}
        onChange={(event) => change({ root: event.target.value })}
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
