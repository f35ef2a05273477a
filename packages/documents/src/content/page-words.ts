/** The few words that a page has of its own, by language. */
export interface PageWords {
  contents: string;
  notes: string;
  figure: string;
  table: string;
}

const words: Record<string, [contents: string, notes: string, figure: string, table: string]> = {
  en: ['Contents', 'Notes', 'Figure', 'Table'],
  de: ['Inhalt', 'Anmerkungen', 'Abbildung', 'Tabelle'],
  fr: ['Sommaire', 'Notes', 'Figure', 'Tableau'],
  es: ['Índice', 'Notas', 'Figura', 'Tabla'],
  it: ['Indice', 'Note', 'Figura', 'Tabella'],
  pt: ['Índice', 'Notas', 'Figura', 'Tabela'],
  nl: ['Inhoud', 'Noten', 'Figuur', 'Tabel'],
  pl: ['Spis treści', 'Przypisy', 'Rysunek', 'Tabela'],
  cs: ['Obsah', 'Poznámky', 'Obrázek', 'Tabulka'],
  sv: ['Innehåll', 'Noter', 'Figur', 'Tabell'],
  da: ['Indhold', 'Noter', 'Figur', 'Tabel'],
  fi: ['Sisällys', 'Viitteet', 'Kuva', 'Taulukko'],
  ru: ['Содержание', 'Примечания', 'Рисунок', 'Таблица'],
  uk: ['Зміст', 'Примітки', 'Рисунок', 'Таблиця'],
  el: ['Περιεχόμενα', 'Σημειώσεις', 'Σχήμα', 'Πίνακας'],
  tr: ['İçindekiler', 'Notlar', 'Şekil', 'Tablo'],
  zh: ['目录', '注释', '图', '表'],
  ja: ['目次', '注', '図', '表'],
  ko: ['차례', '주', '그림', '표'],
  ar: ['المحتويات', 'الهوامش', 'شكل', 'جدول'],
  he: ['תוכן', 'הערות', 'איור', 'טבלה'],
};

const english: PageWords = { contents: 'Contents', notes: 'Notes', figure: 'Figure', table: 'Table' };

/** Words of the page in its language; in English if the language is not known. */
export function findPageWords(language: string): PageWords {
  const found = words[language.split('-', 1)[0]?.toLowerCase() ?? ''];
  if (!found) return english;
  const [contents, notes, figure, table] = found;
  return { contents, notes, figure, table };
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/g;

/** Whether a text is mostly of a script that runs from right to left. */
export function isRightToLeft(text: string): boolean {
  const start = text.slice(0, 4_000);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && (start.match(rightToLeft)?.length ?? 0) > letters / 2;
}
