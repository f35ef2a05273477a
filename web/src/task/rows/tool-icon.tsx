import {
  AppWindow,
  AudioLines,
  ChartColumn,
  Eye,
  FilePen,
  FileSearch,
  FileSpreadsheet,
  FileText,
  FolderOpen,
  Globe,
  GraduationCap,
  Image,
  ListTree,
  type LucideIcon,
  PackageCheck,
  PackageOpen,
  Plug,
  Presentation,
  Search,
  SquareCode,
  SquareTerminal,
} from 'lucide-react';

const icons: Record<string, LucideIcon> = {
  create_subtask: ListTree,
  deliver: PackageCheck,
  edit_file: FilePen,
  edit_image: Image,
  edit_office: FilePen,
  explain_tool: FileSearch,
  fetch_url: Globe,
  list_files: FolderOpen,
  load_skill: GraduationCap,
  make_audio: AudioLines,
  make_chart: ChartColumn,
  make_document: FileText,
  make_image: Image,
  make_slides: Presentation,
  make_spreadsheet: FileSpreadsheet,
  map_rows: FileSpreadsheet,
  publish_website: AppWindow,
  read_file: FileText,
  read_task: ListTree,
  render: Eye,
  run_code: SquareCode,
  run_shell: SquareTerminal,
  search_files: FileSearch,
  search_web: Search,
  unpack_archive: PackageOpen,
  use_browser: Globe,
  write_file: FilePen,
};

/** The icon of a tool; unknown ones come from connectors. */
export function ToolIcon({ tool, className }: { tool: string; className: string }) {
  const Icon = icons[tool] ?? Plug;
  return <Icon aria-hidden className={className} />;
}
