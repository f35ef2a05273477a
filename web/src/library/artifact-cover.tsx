import type { Artifact } from '@errand/client/operations.ts';
import { Gamepad2, Globe, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { chooseLikeness, FileIcon } from '../previews/panel/file-icon.tsx';
import { chooseKind, endingOf, type PreviewKind } from '../previews/files/preview-kind.ts';
import { isSite } from '../previews/website/is-site.ts';

const isSlides = ({ filename }: Artifact) => chooseKind({ filename, contentType: '' }) === 'slides';

function SiteIcon({ platform, className }: { platform: string | undefined; className: string }) {
  if (platform === 'game') return <Gamepad2 aria-hidden strokeWidth={1.5} className={className} />;
  if (platform === 'mobile_app') return <Smartphone aria-hidden strokeWidth={1.5} className={className} />;
  return <Globe aria-hidden strokeWidth={1.5} className={className} />;
}

/** The icon of an artifact's kind. */
export function ArtifactIcon({ artifact, className = 'size-5' }: { artifact: Artifact; className?: string }) {
  if (isSite(artifact)) return <SiteIcon platform={artifact.platform_type} className={`shrink-0 ${className}`} />;
  const { filename, file_type } = artifact;
  return (
    <FileIcon file={{ filename, contentType: '', ...(file_type === 'slides' && { kind: 'slides' }) }} className={className} />
  );
}

/** Kinds drawn as a sheet of paper, each in its own color; the others have no frame. */
const tints: Partial<Record<PreviewKind, string>> = {
  archive: 'bg-[light-dark(#efe9dc,#322d22)] text-[light-dark(#7a5c14,#dcc07c)]',
  audio: 'bg-[light-dark(#f6e6ea,#35262b)] text-[light-dark(#9a3355,#eaa3b9)]',
  code: 'bg-[light-dark(#e9ecf1,#262a31)] text-[light-dark(#3d5273,#a9bddd)]',
  deck: 'bg-[light-dark(#fbead9,#37291c)] text-[light-dark(#98500f,#efb37c)]',
  document: 'bg-[light-dark(#e4edf8,#202b38)] text-[light-dark(#245a9c,#93bdf0)]',
  image: 'bg-[light-dark(#efe7f7,#2d2637)] text-[light-dark(#6b3fa0,#c9a8ee)]',
  json: 'bg-[light-dark(#e9ecf1,#262a31)] text-[light-dark(#3d5273,#a9bddd)]',
  page: 'bg-[light-dark(#e2f0ee,#1f302d)] text-[light-dark(#1c6a60,#86cfc3)]',
  pdf: 'bg-[light-dark(#f9e4e1,#38231f)] text-[light-dark(#a4352a,#f0a399)]',
  sheet: 'bg-[light-dark(#e2f1e5,#1f2f23)] text-[light-dark(#256b36,#8fd0a0)]',
  video: 'bg-[light-dark(#e5e5ee,#282833)] text-[light-dark(#4a4a86,#b6b6ea)]',
};
const alike: Partial<Record<PreviewKind, PreviewKind>> = {
  ...{ markdown: 'document', converted: 'document', text: 'document', slides: 'deck', table: 'sheet' },
};

/** The placeholder for an artifact without a thumbnail: its kind, drawn as a sheet. */
function KindCover({ artifact }: { artifact: Artifact }) {
  const { filename, file_type } = artifact;
  const chosen = chooseLikeness({ filename, contentType: '', ...(file_type === 'slides' && { kind: 'slides' }) });
  const kind = alike[chosen] ?? chosen;
  const ending = isSite(artifact) ? '' : endingOf(filename);
  return (
    <div className="flex h-full w-full items-center justify-center">
      <div
        className={`flex aspect-4/5 h-[62%] flex-col items-center justify-center gap-1.5 rounded-md ${tints[isSite(artifact) ? 'page' : kind] ?? 'bg-card text-soft'}`}
      >
        <ArtifactIcon artifact={artifact} className="size-8" />
        {ending !== '' && ending !== filename.toLowerCase() && (
          <span className="text-[11px] font-semibold tracking-wide uppercase">{ending.slice(0, 7)}</span>
        )}
      </div>
    </div>
  );
}

/** Images that browsers can show and that may have no cover. */
const shownAsTheyAre = new Set(['bmp', 'ico']);
const shownFilms = new Set(['mp4', 'm4v', 'webm', 'mov']);

/** Slides and images are shown completely; of everything else the card shows the corner where reading begins. */
const pictureClasses = (artifact: Artifact) =>
  `h-full w-full ${['slides', 'images'].includes(artifact.type) || isSlides(artifact) ? 'object-contain' : 'object-cover object-left-top'}`;

/** The thumbnail of an artifact, or an icon of its kind. */
export function ArtifactCover({ artifact }: { artifact: Artifact }) {
  const [failed, setFailed] = useState('');
  const { cover_image: cover, url = '', filename } = artifact;
  const ending = endingOf(filename);
  const address = cover ?? (shownAsTheyAre.has(ending) ? url : '');
  if (address !== '' && failed !== address) {
    return (
      <img
        src={address}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        className={pictureClasses(artifact)}
        onError={() => setFailed(address)}
      />
    );
  }
  if (cover === undefined && url !== '' && shownFilms.has(ending) && failed !== url) {
    return (
      <video
        src={`${url}#t=1`}
        muted
        playsInline
        preload="metadata"
        tabIndex={-1}
        className="pointer-events-none h-full w-full object-cover"
        onError={() => setFailed(url)}
      />
    );
  }
  return <KindCover artifact={artifact} />;
}
