import { useQuery } from '@tanstack/react-query';
import { apiKeysQuery } from '../../api/settings-queries.ts';
import { useText } from '../../text/locale.ts';

/** Names a credential of a request as people know it: a key by its name. */
export function useCredentialName(): (credential: string) => string {
  const { developers: text } = useText();
  const apiKeys = useQuery(apiKeysQuery).data;
  return (credential) => {
    const [kind = '', id] = credential.split(' ', 2);
    const known = kind === 'api_key' ? apiKeys?.find((key) => key.id === id) : undefined;
    if (known) return known.name;
    const kinds: Record<string, string> = text.requests.credentials;
    return kinds[kind] ?? credential;
  };
}
