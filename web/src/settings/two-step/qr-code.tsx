import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '../../ui/display/skeleton.tsx';

/** The light border that cameras need, in modules. */
const border = 4;

/** The dark modules of a QR code as the path of an SVG, and its width in modules. The library is loaded with the first one. */
async function drawCode(text: string): Promise<{ path: string; width: number }> {
  const { default: createCode } = await import('qrcode-generator');
  const code = createCode(0, 'M');
  code.addData(text);
  code.make();
  const places = Array.from({ length: code.getModuleCount() }, (_, at) => at);
  const dark = places.flatMap((row) => places.filter((column) => code.isDark(row, column)).map((column) => ({ row, column })));
  const path = dark.map(({ row, column }) => `M${column + border} ${row + border}h1v1h-1z`).join('');
  return { path, width: places.length + 2 * border };
}

/** A QR code, dark on light in both themes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const drawn = useQuery({ queryKey: ['qr code', text], queryFn: () => drawCode(text), staleTime: Infinity, gcTime: 0 });
  // Without it, the key below is typed in.
  if (drawn.error) return null;
  if (drawn.isPending) return <Skeleton className="size-48" />;
  const { path, width } = drawn.data;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${width}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-md"
    >
      <path d={`M0 0h${width}v${width}h-${width}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
