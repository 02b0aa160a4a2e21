// @ts-check

/**
 * The emulator's first page: its words, in the browser's language.
 *
 * @module
 */

import { chooseLanguage, fillWords } from './words.js';

const { language, direction } = chooseLanguage(navigator.languages);
Object.assign(document.documentElement, { lang: language, dir: direction });
fillWords(document);
for (const table of document.querySelectorAll('table')) {
  // On a phone, each cell shows its column.
  const [columns, ...rows] = [...table.rows].map((row) => [...row.cells]);
  for (const row of rows) row.forEach((cell, index) => { cell.dataset.column = columns[index].textContent ?? ''; });
}
