import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import type { Provider } from './provider-facts.ts';

export interface ProviderChoiceProps {
  providers: readonly Provider[];
  chosen: Provider;
  /** The provider that was found on the machine of the service. */
  found: Provider | null;
  onChange(provider: Provider): void;
}

/** The providers as cards. */
export function ProviderChoice({ providers, chosen, found, onChange }: ProviderChoiceProps) {
  const { models } = useText();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{models.provider}</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {providers.map((provider) => (
          <label
            key={provider}
            className="flex min-h-16 cursor-pointer flex-col items-start justify-center gap-1 rounded-md border border-line bg-card px-3.5 py-2 text-sm font-medium hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="provider"
              value={provider}
              checked={provider === chosen}
              onChange={() => onChange(provider)}
              className="sr-only"
            />
            {models.providers[provider]}
            {provider === found && <Badge tone="good">{models.found}</Badge>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
