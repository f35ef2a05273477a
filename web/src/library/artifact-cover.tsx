import type { Artifact } from '@errand/client/operations.ts';
import { Gamepad2, Globe, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { FileIcon } from '../previews/file-icon.tsx';
import { endingOf } from '../previews/preview-kind.ts';
import { isSite } from '../previews/website/is-site.ts';

function SiteIcon({ platform, className }: { platform: string | undefined; className: string }) {
  if (platform === 'game') return <Gamepad2 aria-hidden strokeWidth={1.5} className={className} />;
  if (platform === 'mobile_app') return <Smartphone aria-hidden strokeWidth={1.5} className={className} />;
  return <Globe aria-hidden strokeWidth={1.5} className={className} />;
}

/** The picture of what kind of thing it is. */
export function ArtifactIcon({ artifact, className = 'size-5' }: { artifact: Artifact; className?: string }) {
  if (isSite(artifact)) return <SiteIcon platform={artifact.platform_type} className={`shrink-0 ${className}`} />;
  const { filename, file_type } = artifact;
  return (
    <FileIcon file={{ filename, contentType: '', ...(file_type === 'slides' && { kind: 'slides' }) }} className={className} />
  );
}

/** A small picture of an artifact, or of its kind where there is none. */
export function ArtifactCover({ artifact }: { artifact: Artifact }) {
  const [hasFailed, setFailed] = useState(false);
  if (artifact.cover_image !== undefined && !hasFailed) {
    return (
      <img
        src={artifact.cover_image}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        className="h-full w-full object-cover object-top"
        onError={() => setFailed(true)}
      />
    );
  }
  const ending = isSite(artifact) ? '' : endingOf(artifact.filename).slice(0, 5);
  return (
    <div className="flex h-full w-full flex-col items-center justify-center gap-1.5 text-soft">
      <ArtifactIcon artifact={artifact} className="size-9" />
      {ending !== '' && <span className="text-xs uppercase">{ending}</span>}
    </div>
  );
}
