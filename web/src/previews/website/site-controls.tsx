import { useSession } from '../../api/session.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import type { useWebsite, WebsiteStatus, WebsiteVisibility } from './use-website.ts';

interface SiteControlsProps extends Pick<ReturnType<typeof useWebsite>, 'publish' | 'share'> {
  site: WebsiteStatus;
  /** The newest checkpoint. */
  newest: string | undefined;
}

/** Publishes a site, and sets who can see it. */
export function SiteControls({ site, newest, publish, share }: SiteControlsProps) {
  const text = useText().previews.site;
  const hasTeam = Boolean(useSession().data?.team);
  const isPublished = site.site_urls.length > 0;
  const visibilities: readonly WebsiteVisibility[] = hasTeam ? ['public', 'team', 'private'] : ['public', 'private'];
  const isBehind = isPublished && newest !== undefined && newest !== site.version_id;
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
          onClick={() => publish.mutate(site.visibility === 'team' && hasTeam ? 'team' : 'public')}
        >
          {isBehind ? text.publishNewest : text.publish}
        </Button>
      )}
    </div>
  );
}
