/** The result of the work, or `late` if it takes longer. A failure counts as late, because no result will come. */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  try {
    return await Promise.race([work.catch((): 'late' => 'late'), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of `work`, or an error with the text `problem` if it takes longer than `ms`. Failures of `work` are passed on. */
export async function orFail<Value>(ms: number, work: Promise<Value>, problem: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(problem)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds since some moment. */
export function readTimer(): number {
  return performance.now();
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
