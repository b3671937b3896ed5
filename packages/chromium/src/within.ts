/** Waits for work that may fail or never end. @returns Whether it succeeded in time. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const ended = await Promise.race([done, late]);
  clearTimeout(timer);
  return ended;
}
