import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { categories, type LibrarySearch } from './library-search.ts';

function classesOf(isChosen: boolean): string {
  return joinClasses(
    'inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap pointer-coarse:min-h-10',
    isChosen ? 'border-accent bg-accent-soft font-medium text-ink' : 'border-line text-soft hover:bg-hover hover:text-ink',
  );
}

/** Filters the library by category or favorites. Each choice has a URL. */
export function CategoryLinks({ search }: { search: LibrarySearch }) {
  const { library } = useText();
  const { artifact: _artifact, type, favorite, ...rest } = search;
  return (
    <nav aria-label={library.categories} className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:px-0">
      <Link
        to="/library"
        search={favorite ? { ...rest, favorite } : rest}
        className={classesOf(type === undefined)}
        aria-current={type === undefined ? 'true' : undefined}
      >
        {library.all}
      </Link>
      <Link
        to="/library"
        search={{ ...rest, ...(type && { type }), ...(!favorite && { favorite: true as const }) }}
        className={classesOf(favorite === true)}
        aria-current={favorite ? 'true' : undefined}
      >
        <Star aria-hidden className={joinClasses('size-3.5', favorite && 'fill-current text-accent')} />
        {library.favorites}
      </Link>
      {categories.map((category) => (
        <Link
          key={category}
          to="/library"
          search={{ ...rest, ...(favorite && { favorite }), type: category }}
          className={classesOf(type === category)}
          aria-current={type === category ? 'true' : undefined}
        >
          {library.types[category]}
        </Link>
      ))}
    </nav>
  );
}
