import type { InboxItem } from '@errand/client';
import { Link, useLocation } from '@tanstack/react-router';
import { CircleAlert, CircleQuestionMark, LogIn, MessageCircleQuestion, ShieldQuestion } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Markdown } from '../markdown/markdown.tsx';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { linkClasses } from '../ui/display/link.tsx';
import { Time } from '../ui/display/time.tsx';
import { textOf } from './item-texts.ts';

const icons = {
  question: [MessageCircleQuestion, 'text-accent'],
  confirmation: [ShieldQuestion, 'text-warn'],
  sign_in: [LogIn, 'text-warn'],
  failure: [CircleAlert, 'text-bad'],
  other: [CircleQuestionMark, 'text-warn'],
} as const;

interface ItemCardProps {
  item: InboxItem;
  /** What is asked, without the suggested answers if these are buttons. */
  text?: string;
  children: ReactNode;
}

/** An item of the inbox: what it is about, and what can be done or was done about it. */
export function ItemCard({ item, text = item.text, children }: ItemCardProps) {
  const { app, inbox } = useText();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  // A notification leads to its item.
  const isNamed = useLocation().hash === item.id;
  useEffect(() => {
    if (isNamed) card.current?.scrollIntoView({ block: 'center' });
  }, [isNamed]);
  const [Icon, color] = textOf(icons, item.type);
  return (
    <article
      ref={card}
      aria-labelledby={id}
      className={joinClasses('rounded-lg border bg-card px-4 py-3.5', isNamed ? 'border-accent' : 'border-line')}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <h2 id={id} className={joinClasses('flex items-center gap-2 font-medium', color)}>
          <Icon aria-hidden className="size-4 shrink-0" />
          {textOf(inbox.types, item.type)}
        </h2>
        <Link
          to="/app/$taskId"
          params={{ taskId: item.task_id }}
          className={joinClasses('min-w-0 flex-1 basis-24 truncate py-0.5', linkClasses)}
        >
          {item.task_title || app.untitled}
        </Link>
        <span className="text-xs text-soft">
          <Time ms={item.created_at * 1000} />
        </span>
      </header>
      <div className="mt-2 wrap-anywhere">
        {item.type === 'question' ? <Markdown text={text} /> : <p className="whitespace-pre-wrap">{text}</p>}
      </div>
      {children}
    </article>
  );
}
