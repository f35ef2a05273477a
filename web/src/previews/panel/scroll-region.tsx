import type { ComponentProps } from 'react';

interface ScrollRegionProps extends Omit<ComponentProps<'div'>, 'role' | 'tabIndex' | 'aria-label'> {
  label: string;
}

/** A scrollable region that is keyboard accessible. */
export function ScrollRegion({ label, ...rest }: ScrollRegionProps) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling must work with the keyboard
  return <div role="region" aria-label={label} tabIndex={0} {...rest} />;
}
