import type { Trigger, TriggerEvent } from '@errand/client';
import { Braces } from 'lucide-react';
import { useRef } from 'react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field } from '../ui/controls/field.tsx';
import { Menu, MenuItem, MenuLabel } from '../ui/controls/menu.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { listValues } from './payload-pointers.ts';

const longestTemplate = 100_000;
const namesOf = {
  http: ['body'],
  email: ['subject', 'from', 'text', 'body'],
  folder: ['name', 'path', 'size_bytes', 'modified_at'],
  bucket: ['name', 'path', 'size_bytes', 'modified_at'],
};

interface TemplateFieldProps {
  value: string;
  problem: string | null;
  /** The last delivery whose body is known; its values can be inserted. */
  delivery: TriggerEvent | undefined;
  /** Whether values are those of a request, a mail, a file, or an object; of all but the first, some have short names. */
  type: Trigger['type'];
  onChange(value: string): void;
}

/** The message of a trigger's tasks, with a menu that inserts values of the last delivery. */
export function TemplateField({ value, problem, delivery, type, onChange }: TemplateFieldProps) {
  const { triggers } = useText();
  const area = useRef<HTMLTextAreaElement>(null);
  const values = delivery === undefined ? [] : listValues(delivery);
  const insert = (name: string) => {
    const { selectionStart: start, selectionEnd: end } = area.current ?? {
      selectionStart: value.length,
      selectionEnd: value.length,
    };
    onChange(`${value.slice(0, start)}{{${name}}}${value.slice(end)}`);
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <Field label={triggers.template} hint={triggers.templateHints[type]} problem={problem} className="w-full">
        {(control) => (
          <TextArea
            {...control}
            ref={area}
            required
            className="min-h-28"
            maxLength={longestTemplate}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <Menu
        align="start"
        trigger={
          <Button size="small">
            <Braces aria-hidden className="size-4" />
            {triggers.insert}
          </Button>
        }
      >
        {namesOf[type].map((name) => (
          <MenuItem key={name} onSelect={() => insert(name)}>
            <code className="font-mono">{`{{${name}}}`}</code>
          </MenuItem>
        ))}
        {values.length === 0 && <MenuLabel>{triggers.insertNone}</MenuLabel>}
        {values.map(({ pointer, sample }) => (
          <MenuItem key={pointer} onSelect={() => insert(pointer)}>
            <code className="font-mono">{pointer}</code>
            <span className="max-w-48 truncate text-soft">{sample}</span>
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
