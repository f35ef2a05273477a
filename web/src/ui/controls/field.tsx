import { type ComponentProps, type ReactNode, useId } from 'react';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../display/class-names.ts';

/** The style of all text inputs. */
export const inputClasses =
  'w-full rounded-md border border-edge bg-card min-h-9.5 px-3 py-1.5 text-base text-ink disabled:opacity-60 aria-invalid:border-bad';

/** The attributes that connect a control with its label. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong with the value; announced at once. */
  problem?: string | null | undefined;
  isOptional?: boolean;
  className?: string;
  children(control: ControlProps): ReactNode;
}

/** Into view when it appears: in a long form the button is far from the field. */
function reveal(problem: HTMLElement | null): void {
  problem?.scrollIntoView({ block: 'nearest' });
}

/** A control with its label, a hint and what is wrong with it. */
export function Field({ label, hint, problem, isOptional = false, className, children }: FieldProps) {
  const { ui } = useText();
  const id = useId();
  const isWrong = typeof problem === 'string' && problem !== '';
  const described = joinClasses(hint !== undefined && `${id}-hint`, isWrong && `${id}-problem`);
  return (
    <div className={joinClasses('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {isOptional && <span className="ml-1.5 font-normal text-soft">{ui.optional}</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': isWrong || undefined })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {isWrong && (
        <p id={`${id}-problem`} ref={reveal} role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

export type TextFieldProps = Omit<FieldProps, 'children' | 'className'> & Omit<ComponentProps<'input'>, 'children' | 'id'>;

/** A labelled line of text. */
export function TextField({ label, hint, problem, isOptional, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem} isOptional={isOptional ?? false} className={className ?? ''}>
      {(control) => <input type="text" className={inputClasses} {...input} {...control} />}
    </Field>
  );
}
