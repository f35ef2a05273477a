/** What a page says, without its markup and without parts that are marked as English. */
function wordsOf(page: string): string {
  return page
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<(p|span|code)\b[^>]* lang="en"[^>]*>.*?<\/\1>/gs, ' | ')
    .replaceAll(/<[^>]*>/g, ' | ');
}

/** Runs of three words or more in Latin letters: sentences that no other language has. */
export function findEnglish(page: string): string[] {
  return wordsOf(page).match(/[A-Za-z]+(?:[ ,'’-]+[A-Za-z]+){2,}/g) ?? [];
}
