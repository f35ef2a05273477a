import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showError } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { Audience, useWebsite, WebsiteStatus, WebsiteVisibility } from './use-website.ts';

interface SiteControlsProps extends Pick<ReturnType<typeof useWebsite>, 'publish' | 'share'> {
  site: WebsiteStatus;
  /** The newest checkpoint. */
  newest: string | undefined;
}

/** What is asked before others see it. */
interface Question {
  audience: Audience;
  act(): Promise<unknown>;
}

/** Publishes a site and sets who can see it. What shows it to others is confirmed first. */
export function SiteControls({ site, newest, publish, share }: SiteControlsProps) {
  const text = useText().previews.site;
  const [question, setQuestion] = useState<Question>();
  const hasTeam = Boolean(useSession().data?.team);
  const isPublished = site.site_urls.length > 0;
  const visibilities: readonly WebsiteVisibility[] = hasTeam ? ['public', 'team', 'private'] : ['public', 'private'];
  const isBehind = isPublished && newest !== undefined && newest !== site.version_id;
  const isBusy = publish.isPending || site.publish_status === 'publishing';
  const publishFirst = (audience: 'public' | 'team') => setQuestion({ audience, act: () => publish.mutateAsync(audience) });
  const publishNewest = () =>
    site.visibility === 'private'
      ? publish.mutate('same', { onError: showError })
      : setQuestion({ audience: 'same', act: () => publish.mutateAsync('same') });
  const shareWith = (visibility: WebsiteVisibility) =>
    visibility === 'private' || site.visibility === 'public'
      ? share.mutate(visibility, { onError: showError })
      : setQuestion({ audience: visibility, act: () => share.mutateAsync(visibility) });
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-sm">
      {isPublished ? (
        <Select
          aria-label={text.whoSees}
          isQuiet
          value={site.visibility}
          disabled={share.isPending}
          options={visibilities.map((value) => ({ value, label: text.visibilities[value] }))}
          onValueChange={shareWith}
        />
      ) : (
        <>
          <p className="min-w-0 flex-1 basis-48 text-soft">{text.nobodySees}</p>
          <Button size="small" isBusy={isBusy} onClick={() => publish.mutate('same', { onError: showError })}>
            {text.tryPrivately}
          </Button>
          <Button look="primary" size="small" isBusy={isBusy} onClick={() => publishFirst('public')}>
            {text.publish}
          </Button>
        </>
      )}
      {isBehind && (
        <Button look="primary" size="small" className="ml-auto" isBusy={isBusy} onClick={publishNewest}>
          {text.publishNewest}
        </Button>
      )}
      <ConfirmDialog
        isOpen={question !== undefined}
        onClose={() => setQuestion(undefined)}
        title={question?.audience === 'same' ? text.replaceTitle : text.publishTitle}
        confirmLabel={text.publish}
        onConfirm={async () => question?.act()}
      >
        <p>{text.publishBody[question?.audience ?? 'same']}</p>
      </ConfirmDialog>
    </div>
  );
}
