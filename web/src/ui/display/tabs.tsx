import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { joinClasses } from './class-names.ts';

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange(value: Value): void;
  tabs: readonly { value: Value; label: ReactNode }[];
  /** One `TabPanel` per tab. */
  children: ReactNode;
  /** Content at the end of the row of tabs. */
  aside?: ReactNode;
  className?: string;
  listClassName?: string;
}

/** Several views of the same thing, one at a time. Views with their own URL are links instead. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, value, onValueChange, tabs, children, aside, className = '', listClassName = '' } = props;
  const choose = (chosen: string) => {
    const tab = tabs.find((one) => one.value === chosen);
    if (tab) onValueChange(tab.value);
  };
  // One of many may be out of view.
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (value !== '') list.current?.querySelector('[data-state=active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={choose} className={className}>
      <div className="flex shrink-0">
        <Radix.List
          aria-label={label}
          className={joinClasses('flex min-w-0 flex-1 gap-1 overflow-x-auto border-b border-line', listClassName)}
        >
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px border-b-2 border-transparent -outline-offset-2 px-3 py-2 text-sm whitespace-nowrap text-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside}
      </div>
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
