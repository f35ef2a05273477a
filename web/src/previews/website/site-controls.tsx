import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { useWebsite, WebsiteStatus, WebsiteVisibility } from './use-website.ts';

interface SiteControlsProps extends Pick<ReturnType<typeof useWebsite>, 'publish' | 'share'> {
  site: WebsiteStatus;
  /** The newest checkpoint. */
  newest: string | undefined;
}

/** Publishes a site, once that is confirmed, and sets who can see it. */
export function SiteControls({ site, newest, publish, share }: SiteControlsProps) {
  const text = useText().previews.site;
  const [isAsking, setAsking] = useState(false);
  const hasTeam = Boolean(useSession().data?.team);
  const isPublished = site.site_urls.length > 0;
  const visibilities: readonly WebsiteVisibility[] = hasTeam ? ['public', 'team', 'private'] : ['public', 'private'];
  const isBehind = isPublished && newest !== undefined && newest !== site.version_id;
  const audience = site.visibility === 'team' && hasTeam ? 'team' : 'public';
  const label = isBehind ? text.publishNewest : text.publish;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-sm">
      {isPublished ? (
        <Select
          aria-label={text.whoSees}
          isQuiet
          value={site.visibility}
          disabled={share.isPending}
          options={visibilities.map((value) => ({ value, label: text.visibilities[value] }))}
          onValueChange={(visibility) => share.mutate(visibility)}
        />
      ) : (
        <p className="min-w-0 flex-1 basis-48 text-soft">{text.nobodySees}</p>
      )}
      {(!isPublished || isBehind) && (
        <Button
          look="primary"
          size="small"
          className="ml-auto"
          isBusy={publish.isPending || site.publish_status === 'publishing'}
          onClick={() => setAsking(true)}
        >
          {label}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={text.publishTitle}
        confirmLabel={label}
        onConfirm={() => publish.mutateAsync(audience)}
      >
        <p>{text.publishBody[audience]}</p>
      </ConfirmDialog>
    </div>
  );
}
