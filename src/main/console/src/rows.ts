import type { Changes, Row } from './feed';
import type { ColumnDefinition, Json } from './types';

/** How a table is sorted: the place of a column, or one of the two that every table has. */
export interface Order {
  column: number | 'namespace' | 'age';
  descending: boolean;
}

/** What a view reads: the rows of a feed, and what has changed of them since the last time. */
interface Source {
  readonly rows: ReadonlyMap<string, Row>;
  takeChanges(): Changes;
}

/**
 * The rows that pass a filter, in order. A change of some rows is merged into those that are sorted
 * already: to filter and sort 50,000 anew takes longer than a frame.
 */
export class RowView {
  private readonly source: Source;
  private shown: readonly Row[] = [];
  private filter: string | undefined;
  private order = '';

  constructor(source: Source) {
    this.source = source;
  }

  /** Returns the rows as they are now; the array is not changed later. */
  update(filter: string, order: Order, columns: ColumnDefinition[]): readonly Row[] {
    const changes = this.source.takeChanges();
    const compare = comparison(order, columns);
    const key = `${order.descending} ${order.column} ${typeof order.column === 'number' ? columns[order.column]?.name : ''}`;
    const before = this.filter;
    this.filter = filter;
    if (changes === 'all' || before === undefined || !filter.startsWith(before)) {
      this.shown = filtered(this.source.rows.values(), filter).sort(compare);
    } else {
      // a longer filter lets fewer rows through
      let kept = filter === before ? this.shown : filtered(this.shown, filter);
      if (changes.gone.size) {
        kept = kept.filter((row) => !changes.gone.has(row));
      }
      if (key !== this.order) {
        kept = [...kept].sort(compare);
      }
      this.shown = merged(kept, filtered(changes.come, filter).sort(compare), compare);
    }
    this.order = key;
    return this.shown;
  }
}

/** The rows that contain every word of the filter in a cell, their namespace or a label. */
function filtered(rows: Iterable<Row>, filter: string): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Row[] = [];
  for (const row of rows) {
    if (words.every((word) => contains(row, word))) {
      found.push(row);
    }
  }
  return found;
}

/** Two sorted arrays as one; the second is the shorter one as a rule. */
function merged(rows: readonly Row[], more: Row[], compare: (a: Row, b: Row) => number): readonly Row[] {
  if (more.length === 0) {
    return rows;
  }
  const all: Row[] = [];
  let from = 0;
  for (const row of more) {
    // the place by halves: a comparison of texts costs more than to copy many rows
    let low = from;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(rows[middle]!, row) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (; from < low; from++) {
      all.push(rows[from]!);
    }
    all.push(row);
  }
  for (; from < rows.length; from++) {
    all.push(rows[from]!);
  }
  return all;
}

function contains(row: Row, word: string): boolean {
  const { name, namespace, labels } = row.metadata;
  if (name.includes(word) || namespace?.includes(word)) {
    return true;
  }
  if (row.cells.some((cell) => typeof cell === 'string' && cell.toLowerCase().includes(word))) {
    return true;
  }
  for (const label in labels) {
    if (`${label}=${labels[label]}`.toLowerCase().includes(word)) {
      return true;
    }
  }
  return false;
}

const collator = new Intl.Collator('en', { numeric: true });

/** The order of two rows; those that are equal in it are in the order of their namespace and name. */
function comparison(order: Order, columns: ColumnDefinition[]): (a: Row, b: Row) => number {
  const sign = order.descending ? -1 : 1;
  const compare = comparisonOf(order.column, columns);
  return (a, b) => sign * compare(a, b) || byKey(a, b);
}

function comparisonOf(column: Order['column'], columns: ColumnDefinition[]): (a: Row, b: Row) => number {
  if (column === 'namespace') {
    return byKey;
  }
  if (column === 'age' || columns[column]?.name === 'Age') {
    // the younger an object is, the later its time
    return (a, b) => plain(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '');
  }
  if (columns[column]?.name === 'Name') {
    return (a, b) => plain(a.metadata.name, b.metadata.name);
  }
  return (a, b) => cells(a.cells[column] ?? null, b.cells[column] ?? null);
}

function byKey(a: Row, b: Row): number {
  return plain(a.key, b.key);
}

/** Names are ASCII: comparing code units is a hundred times faster than a collator. */
function plain(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function cells(a: Json, b: Json): number {
  if (a === b) {
    return 0;
  }
  if (typeof a === 'number' && typeof b === 'number') {
    return a - b;
  }
  return collator.compare(text(a), text(b));
}

/** A cell as text. */
export function text(cell: Json | undefined): string {
  if (cell === null || cell === undefined) {
    return '';
  }
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** A duration as kubectl prints an age. */
export function age(since: string | undefined, now: number): string {
  if (!since) {
    return '';
  }
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (seconds < 120) {
    return `${seconds}s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 180) {
    return minutes < 10 ? `${minutes}m${seconds % 60 ? (seconds % 60) + 's' : ''}` : `${minutes}m`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    return hours < 8 && minutes % 60 ? `${hours}h${minutes % 60}m` : `${hours}h`;
  }
  const days = Math.floor(hours / 24);
  return days < 8 && hours % 24 ? `${days}d${hours % 24}h` : days < 730 ? `${days}d` : `${Math.floor(days / 365)}y`;
}
