import { Braces, CircleAlert, CircleHelp, Flag, type LucideIcon, MessageSquareText, User } from 'lucide-react';
import type { Step } from '../conversation/step.ts';
import { ToolIcon } from '../rows/tool-icon.tsx';

const icons: Record<Exclude<Step['kind'], 'call'>, LucideIcon> = {
  user: User,
  agent: MessageSquareText,
  question: CircleHelp,
  result: Braces,
  error: CircleAlert,
  end: Flag,
};

/** The icon of a step: of its tool, or of its kind. */
export function StepIcon({ step: { kind, event }, className }: { step: Step; className: string }) {
  if (event.type === 'tool_used') return <ToolIcon tool={event.tool_used.tool} className={className} />;
  if (kind === 'call') return null;
  const Icon = icons[kind];
  return <Icon aria-hidden className={className} />;
}
