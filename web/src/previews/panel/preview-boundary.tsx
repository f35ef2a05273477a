import { Component, type ReactNode } from 'react';
import { PreviewProblem } from './preview-problem.tsx';
import type { PreviewViewProps } from './preview-view.ts';

interface PreviewBoundaryProps extends PreviewViewProps {
  children: ReactNode;
}

/** Contains errors of a preview, so that the page around it keeps working. */
export class PreviewBoundary extends Component<PreviewBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { children, ...view } = this.props;
    return this.state.error ? <PreviewProblem {...view} error={this.state.error} /> : children;
  }
}
