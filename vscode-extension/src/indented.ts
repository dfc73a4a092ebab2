// A block of YAML that is pasted at another column than the one it was copied from.

/** A line that another key or item may begin on: nothing but blanks and dashes. */
const BEGINNING = /^ *(?:- +)*$/;
/** A key whose value follows on further lines. */
const OPEN = /:\s*(?:[|>][-+0-9]*\s*)?(?:#.*)?$/;
/** The first line of a mapping or of a list. */
const OF_BLOCK = /^(?:- |-$|#|"[^"]*":|'[^']*':|[^\s#:"'{[][^#]*:(?:\s|$))/;
/** Columns of a step where the block shows none. */
const STEP = 2;
/** Columns of a dash and its blank. */
const DASH = 2;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The text with its lines below the cursor, which stands behind `before`; undefined where it needs no change. */
export function indented(text: string, before: string): string | undefined {
  const lines = text.split('\n');
  const first = lines[0] ?? '';
  const rest = lines.slice(1).filter((line) => line.trim() !== '');
  if (rest.length === 0 || !BEGINNING.test(before) || !OF_BLOCK.test(first.trimStart())) {
    return undefined;
  }
  if ([first, ...rest].some((line) => /^\s*\t/.test(line))) {
    return undefined;
  }
  const base = columnOf(first, rest);
  const shift = before.length - base;
  if (rest.some((line) => indentOf(line) + shift < 0)) {
    return undefined;
  }
  const moved = lines.slice(1).map((line) => {
    const inner = line.trimStart();
    return inner === '' ? line : ' '.repeat(indentOf(line) + shift) + inner;
  });
  const result = [first.trimStart(), ...moved].join('\n');
  return result === text ? undefined : result;
}

/** The column that the first line had. Who copies from within a line leaves its blanks behind. */
function columnOf(first: string, rest: readonly string[]): number {
  const least = Math.min(...rest.map(indentOf));
  const own = indentOf(first);
  if (own > 0) {
    return own;
  }
  const isItem = (line: string) => /^\s*-(?:\s|$)/.test(line);
  if (isItem(first) && !rest.some((line) => indentOf(line) === least && isItem(line))) {
    return Math.max(least - DASH, 0);
  }
  if (isItem(first) || !OPEN.test(first)) {
    return least;
  }
  if (least <= 2 * STEP) {
    return 0;
  }
  // Below a key, its list may stand in the same column.
  if (rest[0]?.trimStart().startsWith('-') === true) {
    return least;
  }
  const columns = [...new Set(rest.map(indentOf))].sort((one, other) => one - other);
  const steps = columns.slice(1).map((column, at) => column - (columns[at] ?? 0));
  return least - (steps.length > 0 ? Math.min(...steps, least) : STEP);
}

/** The text as VS Code takes a block that it indents like the line of the cursor, which begins with `before`. */
export function relative(block: string, before: string): string | undefined {
  const indent = indentOf(`${before}.`);
  const [first = '', ...rest] = block.split('\n');
  const isDeeper = (line: string) => line.trim() === '' || indentOf(line) >= indent;
  return rest.every(isDeeper)
    ? [first, ...rest.map((line) => (line.trim() === '' ? '' : line.slice(indent)))].join('\n')
    : undefined;
}
