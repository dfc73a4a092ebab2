// A typist whose keys are counted.

import assert from 'node:assert/strict';

/** The time between two letters, in milliseconds: nobody types faster for long. */
const BETWEEN_LETTERS = 20;

/** Completions whose label has a suffix. */
const KINDS = ['CustomResourceDefinition', 'Gadget'];

export class Typist {
  #keys = 0;

  constructor(code) {
    this.code = code;
  }

  /** The number of keys since the last call. */
  taken() {
    const keys = this.#keys;
    this.#keys = 0;
    return keys;
  }

  async type(text) {
    this.#keys += text.length;
    await this.code.page.keyboard.type(text, { delay: BETWEEN_LETTERS });
  }

  async press(...keys) {
    this.#keys += keys.length;
    await this.code.press(...keys);
  }

  /** Types the beginning of a completion and accepts it, once it is the first one. */
  async accept(beginning, proposal) {
    await this.type(beginning);
    // The group of a kind follows its name.
    const isFirst = ([first]) => first === proposal || (first?.startsWith(proposal) && KINDS.includes(proposal));
    await this.code.until(`the proposal ${proposal}`, () => this.code.proposals(), isFirst);
    await this.press('Enter');
  }

  /** Applies the quick-fix at the cursor whose title contains `part`. */
  async fix(part) {
    // The first entry is a heading.
    const titles = (await this.code.lightBulb()).slice(1);
    const at = titles.findIndex((title) => title.includes(part));
    assert.notEqual(at, -1, titles.join('\n'));
    // The menu was opened by one key.
    this.#keys += 1;
    await this.press(...Array.from({ length: at }, () => 'ArrowDown'), 'Enter');
  }

  /** Types lines into an empty file by hand; only the editor indents them, and wrong indentation is corrected. */
  async copy(lines) {
    let line = 1;
    for (const text of lines) {
      if (line > 1) {
        await this.press('Enter');
      }
      const indent = text.length - text.trimStart().length;
      const column = await this.#column(line);
      const steps = Math.abs(column - 1 - indent) / 2;
      await this.press(...Array.from({ length: steps }, () => (column - 1 > indent ? 'Backspace' : 'Tab')));
      await this.type(text.trimStart());
      line += 1;
    }
  }

  /** The column of the cursor, from 1, once it is on `line` and stays. */
  async #column(line) {
    await this.code.page.waitForTimeout(250);
    const item = this.code.page.locator('.statusbar-item', { hasText: `Ln ${line},` });
    const text = await item.innerText();
    return Number(/Col (\d+)/.exec(text)?.[1]);
  }
}
