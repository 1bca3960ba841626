import type { Row } from './feed';
import type { ColumnDefinition, Json } from './types';

/** How a table is sorted: the place of a column, or one of the two that every table has. */
export interface Order {
  column: number | 'namespace' | 'age';
  descending: boolean;
}

/** The rows that contain every word of the filter in a cell, their namespace or a label. */
export function filtered(rows: Iterable<Row>, filter: string): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Row[] = [];
  for (const row of rows) {
    if (words.every((word) => contains(row, word))) {
      found.push(row);
    }
  }
  return found;
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

/** Sorts in place; rows that are equal are in the order of their namespace and name. */
export function sort(rows: Row[], order: Order, columns: ColumnDefinition[]): Row[] {
  const sign = order.descending ? -1 : 1;
  const compare = comparison(order, columns);
  return rows.sort((a, b) => sign * compare(a, b) || byKey(a, b));
}

function comparison(order: Order, columns: ColumnDefinition[]): (a: Row, b: Row) => number {
  const { column } = order;
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
