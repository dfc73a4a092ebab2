'use strict';
// Folds, searches and walks the trees by keyboard; in an editor tells it which place to show. Without a script all fields
// are there, unfolded.
(() => {
  const editor = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : undefined;
  const kept = editor?.getState() ?? {};
  const trees = [...document.querySelectorAll('[role=treegrid]')].map(tree);

  function place(element) {
    const text = element.dataset.place;
    if (text === undefined) return undefined;
    const [line, character] = text.split(':').map(Number);
    return { line, character };
  }

  function show(element) {
    const at = place(element);
    if (editor !== undefined && at !== undefined) editor.postMessage({ type: 'reveal', place: at });
  }

  function tree(grid) {
    const section = grid.closest('section');
    const rows = [...grid.tBodies[0].rows];
    const level = (row) => Number(row.getAttribute('aria-level'));
    const isOpen = (row) => row.getAttribute('aria-expanded') !== 'false';
    const search = section.querySelector('.search');
    const differences = section.querySelector('.differences');
    const status = section.querySelector('.status');
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const parents = [];
    const above = rows.map((row, at) => {
      parents.length = level(row) - 1;
      const parent = parents[parents.length - 1];
      parents.push(at);
      return parent;
    });

    function update() {
      const words = search.value.trim().toLowerCase();
      const isFiltered = words !== '' || differences?.checked === true;
      grid.classList.toggle('searching', words !== '');
      const wanted = new Set();
      let count = 0;
      rows.forEach((row, at) => {
        const isWanted =
          (words === '' || texts[at].includes(words)) && (differences?.checked !== true || 'different' in row.dataset);
        if (!isWanted) return;
        count += 1;
        for (let one = at; one !== undefined && !wanted.has(one); one = above[one]) wanted.add(one);
      });
      const hidden = [];
      rows.forEach((row, at) => {
        const parent = above[at];
        const isFolded = parent !== undefined && (hidden[parent] || (!isFiltered && !isOpen(rows[parent])));
        hidden[at] = isFolded || (isFiltered && !wanted.has(at));
        row.hidden = hidden[at];
      });
      status.textContent = isFiltered ? `${count} of ${rows.length} fields` : `${rows.length} fields`;
      if (rows.every((row) => row.hidden || row.tabIndex !== 0)) {
        const first = rows.find((row) => !row.hidden);
        if (first !== undefined) choose(first, false);
      }
    }

    function open(row, isOpen) {
      if (row.hasAttribute('aria-expanded')) row.setAttribute('aria-expanded', String(isOpen));
    }

    function openAll(isOpenAt) {
      rows.forEach((row) => open(row, isOpenAt(row)));
      update();
    }

    function choose(row, takesFocus) {
      for (const other of rows) {
        other.tabIndex = other === row ? 0 : -1;
        if (other === row) other.setAttribute('aria-selected', 'true');
        else other.removeAttribute('aria-selected');
      }
      if (takesFocus) row.focus();
    }

    function step(row, by) {
      for (let at = rows.indexOf(row) + by; at >= 0 && at < rows.length; at += by) {
        if (!rows[at].hidden) return rows[at];
      }
      return row;
    }

    grid.addEventListener('keydown', (event) => {
      const row = event.target.closest('tr');
      if (row === null || event.target !== row || event.altKey || event.ctrlKey || event.metaKey) return;
      const shown = rows.filter((one) => !one.hidden);
      const parent = above[rows.indexOf(row)];
      const hasMore = row.hasAttribute('aria-expanded');
      const keys = {
        ArrowDown: () => choose(step(row, 1), true),
        ArrowUp: () => choose(step(row, -1), true),
        Home: () => choose(shown[0], true),
        End: () => choose(shown[shown.length - 1], true),
        ArrowRight: () => {
          if (hasMore && !isOpen(row)) open(row, true);
          else if (hasMore) choose(step(row, 1), true);
        },
        ArrowLeft: () => {
          if (hasMore && isOpen(row)) open(row, false);
          else if (parent !== undefined) choose(rows[parent], true);
        },
        Enter: () => show(row),
        ' ': () => open(row, !isOpen(row)),
      };
      if (!(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
      update();
    });
    grid.addEventListener('click', (event) => {
      const row = event.target.closest('tbody tr');
      if (row === null || event.target.closest('button') !== null) return;
      if (event.target.classList.contains('twist')) {
        open(row, !isOpen(row));
        update();
      } else {
        show(row);
      }
      choose(row, true);
    });
    search.addEventListener('input', update);
    differences?.addEventListener('change', update);
    section.querySelector('.unfold').addEventListener('click', () => openAll(() => true));
    section.querySelector('.fold').addEventListener('click', () => openAll((row) => level(row) < 2));
    openAll((row) => rows.length < 60 || level(row) < 4);

    /** The row of the field that is declared at the line or last before it. */
    function reveal(line) {
      let found;
      for (const row of rows) {
        const at = place(row);
        if (at !== undefined && at.line <= line && (found === undefined || at.line >= place(found).line)) found = row;
      }
      if (found === undefined) return;
      for (let one = above[rows.indexOf(found)]; one !== undefined; one = above[one]) open(rows[one], true);
      update();
      choose(found, false);
      found.scrollIntoView({ block: 'nearest' });
    }
    return { section, search, reveal, update };
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button.place');
    if (button !== null) show(button);
  });
  window.addEventListener('message', ({ data }) => {
    if (data?.type !== 'reveal') return;
    // Of several definitions the last that begins before the line.
    const starts = trees.map((one) => place(one.section.querySelector('.of [data-place]'))?.line ?? 0);
    const at = starts.reduce((best, start, index) => (start <= data.line ? index : best), 0);
    trees[at]?.reveal(data.line);
  });
  if (typeof kept.search === 'string' && trees[0] !== undefined) {
    trees[0].search.value = kept.search;
    trees[0].update();
  }
  window.addEventListener('beforeunload', () => editor?.setState({ search: trees[0]?.search.value }));
  editor?.postMessage({ type: 'ready' });
})();
