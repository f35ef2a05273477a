import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';

interface MentionListProps {
  id: string;
  emails: readonly string[];
  /** The position of the one that Enter takes. */
  active: number;
  onChoose(email: string): void;
}

/** The id of an entry of the list, for the field that controls it. */
export function nameOption(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** Members whose addresses begin as what is typed after an at sign; arrow keys go through them while the focus stays in the field. */
export function MentionList({ id, emails, active, onChoose }: MentionListProps) {
  const { people } = useText();
  return (
    <div
      id={id}
      role="listbox"
      aria-label={people.members}
      className="absolute inset-x-0 bottom-full z-10 mb-1 max-h-48 overflow-y-auto rounded-md border border-line bg-card py-1 shadow-float"
    >
      {emails.map((email, index) => (
        <div
          key={email}
          id={nameOption(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={joinClasses('cursor-pointer truncate px-3 py-1.5 text-sm', index === active && 'bg-hover')}
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(email);
          }}
        >
          {email}
        </div>
      ))}
    </div>
  );
}
