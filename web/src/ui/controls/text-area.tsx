import { type ComponentProps, type Ref } from 'react';
import { inputClasses } from './field.tsx';
import { joinClasses } from '../display/class-names.ts';

export interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Shows no border and padding, for containers that have their own. */
  isPlain?: boolean;
  ref?: Ref<HTMLTextAreaElement> | undefined;
}

/** A multi-line text field that grows to `max-height`, then scrolls. */
export function TextArea({ isPlain = false, className, ...rest }: TextAreaProps) {
  const look = isPlain ? 'w-full bg-transparent outline-none' : inputClasses;
  return (
    <textarea
      className={joinClasses(look, 'field-sizing-content max-h-[50dvh] resize-none', !isPlain && 'min-h-16', className)}
      {...rest}
    />
  );
}
