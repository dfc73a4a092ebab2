// Indents a block of YAML that is pasted at another column than its original one.

/** The start of a line where another key or item may begin: only blanks and dashes. */
const BEGINNING = /^ *(?:- +)*$/;
/** A key whose value is on the following lines. */
const OPEN = /:\s*(?:[|>][-+0-9]*\s*)?(?:#.*)?$/;
/** The first line of a mapping or of a list. */
const OF_BLOCK = /^(?:- |-$|#|"[^"]*":|'[^']*':|[^\s#:"'{[][^#]*:(?:\s|$))/;
/** The default number of columns of an indentation step. */
const STEP = 2;
/** The number of columns of a dash and its blank. */
const DASH = 2;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The text with its lines aligned with the cursor, which is after `before`; undefined if nothing changes. */
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

/** The original column of the first line. A selection that starts within a line does not include its blanks. */
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
  // The list of a key may start in the column of the key.
  if (rest[0]?.trimStart().startsWith('-') === true) {
    return least;
  }
  const columns = [...new Set(rest.map(indentOf))].sort((one, other) => one - other);
  const steps = columns.slice(1).map((column, at) => column - (columns[at] ?? 0));
  return least - (steps.length > 0 ? Math.min(...steps, least) : STEP);
}

/** The block in the form that VS Code expects: it indents the block like the cursor's line, which starts with `before`. */
export function relative(block: string, before: string): string | undefined {
  const indent = indentOf(`${before}.`);
  const [first = '', ...rest] = block.split('\n');
  const isDeeper = (line: string) => line.trim() === '' || indentOf(line) >= indent;
  return rest.every(isDeeper)
    ? [first, ...rest.map((line) => (line.trim() === '' ? '' : line.slice(indent)))].join('\n')
    : undefined;
}
