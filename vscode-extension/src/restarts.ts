// Decides when a server that has ended is restarted.

/** The pauses before the restarts, in milliseconds. */
export const PAUSES: readonly number[] = [200, 1_000, 3_000, 10_000];
/** The age after which an end is no longer counted, in milliseconds. */
export const FORGIVEN_AFTER = 180_000;

/** Counts how often the server has ended. */
export class Restarts {
  private ends: number[] = [];

  /** The pause before the next start in milliseconds, or `undefined` if the server has ended too often. */
  next(now: number): number | undefined {
    this.ends = this.ends.filter((end) => now - end < FORGIVEN_AFTER);
    this.ends.push(now);
    return PAUSES[this.ends.length - 1];
  }

  /** Forgets earlier ends, because the user wants a restart. */
  reset(): void {
    this.ends = [];
  }
}
