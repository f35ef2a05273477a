import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui';
import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';

export interface SwitchProps {
  label: ReactNode;
  hint?: ReactNode;
  isOn: boolean;
  onChange(isOn: boolean): void;
  disabled?: boolean;
}

interface RowProps extends Pick<SwitchProps, 'label' | 'hint'> {
  children(control: { id: string; 'aria-describedby': string | undefined }): ReactNode;
}

function Row({ label, hint, children }: RowProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      {children({ id, 'aria-describedby': hint === undefined ? undefined : `${id}-hint` })}
      <div className="min-w-0">
        <label htmlFor={id} className="cursor-pointer text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** A setting that takes effect immediately. */
export function Switch({ label, hint, isOn, onChange, disabled = false }: SwitchProps) {
  return (
    <Row label={label} hint={hint}>
      {(control) => (
        <RadixSwitch.Root
          {...control}
          checked={isOn}
          onCheckedChange={onChange}
          disabled={disabled}
          className="relative h-5 w-9 shrink-0 rounded-full bg-edge transition-colors disabled:opacity-50 data-[state=checked]:bg-accent"
        >
          <RadixSwitch.Thumb className="block size-4 translate-x-0.5 rounded-full bg-card transition-transform data-[state=checked]:translate-x-4.5" />
        </RadixSwitch.Root>
      )}
    </Row>
  );
}

/** An option that takes effect when its form is sent. */
export function Checkbox({ label, hint, isOn, onChange, disabled = false }: SwitchProps) {
  return (
    <Row label={label} hint={hint}>
      {(control) => (
        <RadixCheckbox.Root
          {...control}
          checked={isOn}
          onCheckedChange={(state) => onChange(state === true)}
          disabled={disabled}
          className="mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded-sm border border-edge bg-card text-on-accent disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
        >
          <RadixCheckbox.Indicator>
            <Check aria-hidden className="size-3.5" strokeWidth={3} />
          </RadixCheckbox.Indicator>
        </RadixCheckbox.Root>
      )}
    </Row>
  );
}
