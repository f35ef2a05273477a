import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { inputClasses } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import type { OwnRating, Ratings } from './row-props.ts';

const icons = { up: ThumbsUp, down: ThumbsDown };
const longest = 2000;

interface ReasonProps {
  rated: OwnRating;
  onSend(reason: string): Promise<boolean>;
  onClose(): void;
}

/** Asks why, in one line that can be left empty. */
function ReasonForm({ rated, onSend, onClose }: ReasonProps) {
  const { rating: text } = useText().task;
  const [reason, setReason] = useState(rated.reason);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void onSend(reason).then((isSent) => isSent && onClose());
  };
  return (
    <form className="flex flex-wrap items-center gap-2 print:hidden" onSubmit={send}>
      <input
        ref={field}
        aria-label={text.reason}
        className={`${inputClasses} min-w-0 flex-1 basis-52`}
        placeholder={rated.rating === 'down' ? text.askDown : text.askUp}
        maxLength={longest}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
      />
      <Button type="submit" size="small">
        {text.send}
      </Button>
    </form>
  );
}

/** How an answer is rated: two buttons for its bar, and the question why once one is pressed. */
export function useRating(eventId: string, ratings: Ratings | null) {
  const { rating: text } = useText().task;
  const [isAsking, setAsking] = useState(false);
  if (!ratings) return { buttons: null, form: null };
  const own = ratings.of(eventId);
  const press = async (rating: 'up' | 'down') => {
    const isTaken = own?.rating === rating;
    const isSet = await ratings.rate(eventId, { rating: isTaken ? 'none' : rating, reason: isTaken ? '' : (own?.reason ?? '') });
    setAsking(isSet && !isTaken);
  };
  const buttons = (['up', 'down'] as const).map((rating) => {
    const Icon = icons[rating];
    return (
      <IconButton
        key={rating}
        label={text[rating]}
        icon={<Icon aria-hidden className="size-4" />}
        aria-pressed={own?.rating === rating}
        onClick={() => void press(rating)}
      />
    );
  });
  const form = isAsking && own && (
    <ReasonForm
      rated={own}
      onSend={(reason) => ratings.rate(eventId, { rating: own.rating, reason })}
      onClose={() => setAsking(false)}
    />
  );
  return { buttons, form };
}
