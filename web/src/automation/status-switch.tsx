import { Switch } from '../ui/controls/switch.tsx';

interface StatusSwitchProps {
  /** What is paused and resumed. */
  name: string;
  /** The status in a word. */
  label: string;
  isActive: boolean;
  isBusy: boolean;
  onChange(isActive: boolean): void;
}

/** Pauses and resumes what starts tasks. */
export function StatusSwitch({ name, label, isActive, isBusy, onChange }: StatusSwitchProps) {
  const shown = (
    <>
      {label} <span className="sr-only">{name}</span>
    </>
  );
  return <Switch label={shown} isOn={isActive} disabled={isBusy} onChange={onChange} />;
}
