/** Lengths in twentieths of a point. */
interface Margins {
  top: number;
  bottom: number;
  left: number;
  right: number;
  header: number;
  footer: number;
}

/** A sheet of paper, in twentieths of a point, and the margins of every page but the cover. */
export interface Sheet {
  width: number;
  height: number;
  margin: Margins;
}

const usual: Margins = { top: 1_380, bottom: 1_380, left: 1_250, right: 1_250, header: 680, footer: 640 };
/** Those of the page rule `one` of the design kit. */
const narrow: Margins = { top: 907, bottom: 907, left: 1_020, right: 1_020, header: 450, footer: 420 };
const papers: Readonly<Record<string, Pick<Sheet, 'width' | 'height'>>> = {
  a4: { width: 11_906, height: 16_838 },
  a5: { width: 8_391, height: 11_906 },
  letter: { width: 12_240, height: 15_840 },
};

/** The paper that the rules of the page name. @param isNarrow whether its margins are those of a page that holds everything */
export function readSheet(css: string, isNarrow: boolean): Sheet {
  const said = /@page\s*\{[^{}]*size:\s*([^;{}]+)/i.exec(css)?.[1]?.toLowerCase() ?? '';
  const { width, height } = Object.entries(papers).find(([name]) => said.includes(name))?.[1] ?? {
    width: 11_906,
    height: 16_838,
  };
  const margin = isNarrow ? narrow : usual;
  return said.includes('landscape') ? { width: height, height: width, margin } : { width, height, margin };
}
