import type { Artifact } from '@errand/client/operations.ts';
import { useMemo, useRef } from 'react';
import { useSize } from '../previews/panel/use-size.ts';
import { useText } from '../text/locale.ts';
import { WindowList } from '../ui/display/window-list.tsx';
import { ArtifactCard, type ArtifactItemProps, ArtifactRow } from './artifact-card.tsx';

interface ArtifactListProps extends Pick<ArtifactItemProps, 'onChoose' | 'onFavorite' | 'onRename' | 'search'> {
  items: readonly Artifact[];
  chosen: ReadonlySet<string>;
  onEnd: (() => void) | undefined;
}

const narrowestCard = 190;
const gap = 16;
const captionHeight = 46;

/** Rows of cards, as many side by side as fit. */
function cutRows(items: readonly Artifact[], columns: number): Artifact[][] {
  return Array.from({ length: Math.ceil(items.length / columns) }, (_, row) => items.slice(row * columns, (row + 1) * columns));
}

/** The artifacts, as cards or rows. Virtualized: only visible ones are rendered. */
export function ArtifactList({ items, chosen, onEnd, ...item }: ArtifactListProps) {
  const { library } = useText();
  const place = useRef<HTMLDivElement>(null);
  const { width } = useSize(place);
  const columns = Math.max(width < 420 ? 2 : 1, Math.floor((width + gap) / (narrowestCard + gap)));
  const rows = useMemo(() => cutRows(items, columns), [items, columns]);
  const isChoosing = chosen.size > 0;
  const keyOf = ({ id }: Artifact) => id;
  const cardHeight = ((width - gap * (columns - 1)) / columns) * 0.75 + captionHeight;
  return (
    <div ref={place}>
      {item.search.view === 'list' ? (
        <WindowList
          label={library.title}
          items={items}
          keyOf={keyOf}
          rowHeight={47}
          onEnd={onEnd}
          renderRow={(artifact) => (
            <ArtifactRow {...item} artifact={artifact} isChosen={chosen.has(artifact.id)} isChoosing={isChoosing} />
          )}
        />
      ) : (
        width > 0 && (
          <WindowList
            key={columns}
            label={library.title}
            items={rows}
            keyOf={(row) => row[0]?.id ?? ''}
            rowHeight={cardHeight + gap}
            onEnd={onEnd}
            renderRow={(row) => (
              <div className="grid gap-4 pb-4" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
                {row.map((artifact) => (
                  <ArtifactCard
                    key={artifact.id}
                    {...item}
                    artifact={artifact}
                    isChosen={chosen.has(artifact.id)}
                    isChoosing={isChoosing}
                  />
                ))}
              </div>
            )}
          />
        )
      )}
    </div>
  );
}
