const msPerDay = 86_400_000;
/** The serial number of 1 January 1970 in spreadsheet programs, which count days. */
const epoch = 25_569;
/** Serial number of 1 March 1900. Before it, programs count a day that never existed. */
const firstSerial = 61;

/** The date of a serial number; invalid before 1 March 1900. */
export function dateOf(serial = 0): Date {
  return new Date(serial < firstSerial ? Number.NaN : (Math.floor(serial) - epoch) * msPerDay);
}

/** The serial number of a date; months and days beyond the last one count on. */
export function dateSerial(year = 0, month = 1, day = 1): number {
  const full = Math.trunc(year) < 1900 ? Math.trunc(year) + 1900 : Math.trunc(year);
  return Date.UTC(full, Math.trunc(month) - 1, Math.trunc(day)) / msPerDay + epoch;
}

/** The last day of the month that begins some months after a date. */
export function endOfMonth(serial = 0, months = 0): number {
  const date = dateOf(serial);
  return dateSerial(date.getUTCFullYear(), date.getUTCMonth() + 2 + Math.trunc(months), 0);
}

/** The date some months later; in a shorter month, its last day. */
export function addMonths(serial = 0, months = 0): number {
  const date = dateOf(serial);
  const wanted = dateSerial(date.getUTCFullYear(), date.getUTCMonth() + 1 + Math.trunc(months), date.getUTCDate());
  return Math.min(wanted, endOfMonth(serial, months));
}
