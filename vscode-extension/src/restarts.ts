// When a server that has ended is started again.

/** The pauses before the restarts, in milliseconds. */
export const PAUSES: readonly number[] = [200, 1_000, 3_000, 10_000];
/** Ends longer ago than this, in milliseconds, are forgiven. */
export const FORGIVEN_AFTER = 180_000;

/** Counts the ends of the server. */
export class Restarts {
  private ends: number[] = [];

  /** The pause in milliseconds before the next start, or `undefined` when it has ended too often. */
  next(now: number): number | undefined {
    this.ends = this.ends.filter((end) => now - end < FORGIVEN_AFTER);
    this.ends.push(now);
    return PAUSES[this.ends.length - 1];
  }

  /** The user wants it started: what was is forgotten. */
  reset(): void {
    this.ends = [];
  }
}
