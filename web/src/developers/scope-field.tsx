import type { ReactNode } from 'react';
import type { WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Checkbox } from '../ui/controls/switch.tsx';

export type Scope = WebResponse<'app.show'>['app']['scopes'][number];

export const allScopes: readonly Scope[] = [
  'create_task',
  'manage_all_tasks',
  'create_project',
  'use_connectors',
  'use_my_browsers',
];

export interface ScopeFieldProps {
  scopes: readonly Scope[];
  onChange(scopes: readonly Scope[]): void;
  /** Additional choices. */
  children: ReactNode;
}

/** The scopes that an app may request, each with its consent text. */
export function ScopeField({ scopes, onChange, children }: ScopeFieldProps) {
  const { developers, settings } = useText();
  const toggle = (scope: Scope) => (isOn: boolean) =>
    onChange(isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">{developers.allowedScopes}</legend>
      {allScopes.map((scope) => (
        <Checkbox
          key={scope}
          label={<code className="font-mono">{scope}</code>}
          hint={settings.scopes[scope]}
          isOn={scopes.includes(scope)}
          onChange={toggle(scope)}
        />
      ))}
      {children}
    </fieldset>
  );
}
