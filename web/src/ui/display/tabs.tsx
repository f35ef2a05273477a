import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange(value: Value): void;
  tabs: readonly { value: Value; label: ReactNode }[];
  /** One `TabPanel` per tab. */
  children: ReactNode;
  className?: string;
}

/** Several views of the same thing, one at a time. Views with their own URL are links instead. */
export function Tabs<Value extends string>({ label, value, onValueChange, tabs, children, className = '' }: TabsProps<Value>) {
  const choose = (chosen: string) => {
    const tab = tabs.find((one) => one.value === chosen);
    if (tab) onValueChange(tab.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose} className={className}>
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

export function TabPanel({ value, children, className = 'pt-4' }: { value: string; children: ReactNode; className?: string }) {
  return (
    <Radix.Content value={value} className={className}>
      {children}
    </Radix.Content>
  );
}
