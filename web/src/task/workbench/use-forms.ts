import { useQuery } from '@tanstack/react-query';
import { errand } from '../../api/errand.ts';
import { fileOfAttachment, type PreviewFile } from '../../previews/files/preview-file.ts';
import { chooseKind } from '../../previews/files/preview-kind.ts';
import { pdfUrl } from '../../previews/pdf/use-pdf-conversion.ts';
import type { Deliverable } from './deliverables.ts';

/** Office files that the service converts. */
const convertible = new Set(['document', 'slides', 'converted']);

function withoutEnding(filename: string): string {
  return filename.replace(/\.[^./]+$/, '');
}

/** The PDF that the service converts an office file to. */
function printOf({ filename, url }: PreviewFile): PreviewFile {
  return { filename: `${withoutEnding(filename)}.pdf`, url: pdfUrl(url), contentType: 'application/pdf' };
}

/**
 * Every form of a deliverable: the delivered ones, for a deck the presentation file that was made with its pages, and for office files
 * a PDF.
 */
export function useForms(taskId: string | null, { forms, eventId }: Deliverable): readonly PreviewFile[] {
  const deck = forms.find((form) => chooseKind(form) === 'deck');
  const { data: presentation } = useQuery({
    queryKey: ['deck', taskId, eventId, deck?.filename],
    enabled: taskId !== null && deck !== undefined,
    queryFn: async ({ signal }) => {
      if (taskId === null) return null;
      const request = { task_id: taskId, start_event_id: eventId, limit: 1, slides_format: 'pptx' } as const;
      const { messages } = await errand.task.listMessages(request, { signal });
      const [message] = messages;
      const attachments = message?.type === 'assistant_message' ? message.assistant_message.attachments : [];
      const found = attachments.find(
        ({ type, filename }) => type === 'slides' && withoutEnding(filename) === withoutEnding(deck?.filename ?? ''),
      );
      return found ? fileOfAttachment(found) : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const known =
    presentation && !forms.some(({ filename }) => filename === presentation.filename) ? [...forms, presentation] : forms;
  const office =
    taskId === null || known.some((form) => chooseKind(form) === 'pdf')
      ? undefined
      : known.find((form) => convertible.has(chooseKind(form)));
  return office ? [...known, printOf(office)] : known;
}
