import type { Clock } from '@errand/base/clock.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import { choosePreviewBase, namePreview, type PreviewPlace, readPreviewName } from '../../rules/previews/preview-address.ts';

export interface PreviewSigning {
  /** May throw if this process has no key. */
  key(): Uint8Array;
  now(): number;
  contentUrl(): string;
  /** What the operator has set; see `choosePreviewBase`. */
  configured: string | null;
}

/** Creates and reads addresses of servers in sandboxes. */
export interface PreviewAddresses {
  /** Where previews are, with `*` in place of a name. */
  base(): string;
  /** Without a slash at the end. */
  at(name: string): string;
  url(place: PreviewPlace): { url: string; endsAtMs: number };
  read(name: string): PreviewPlace;
}

export function createPreviewAddresses({ key, now, contentUrl, configured }: PreviewSigning): PreviewAddresses {
  const base = () => choosePreviewBase(contentUrl(), configured);
  const at = (name: string) => base().replace('*', name);
  return {
    base,
    at,
    url(place) {
      const { name, endsAtMs } = namePreview(key(), place, now());
      return { url: `${at(name)}/`, endsAtMs };
    },
    read: (name) => readPreviewName(key(), name, now()),
  };
}

export interface ContentPreviewsParts {
  addresses: PreviewAddresses;
  channel: Broadcast | null;
  clock: Clock;
}
