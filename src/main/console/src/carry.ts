import { isRecord } from './api';
import type { Json } from './types';

/**
 * What somebody made of a value, on a newer state of it: a field that was changed has the new value, all
 * others are as in the newer state. Lists are values.
 *
 * @param before what was edited
 * @param mine what became of it
 * @param theirs the newer state
 */
export function carry(before: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Json | undefined {
  if (same(before, mine)) {
    return theirs;
  }
  if (!isRecord(before) || !isRecord(mine) || !isRecord(theirs)) {
    return mine;
  }
  const carried: Record<string, Json> = {};
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const value = carry(before[key] as Json | undefined, mine[key] as Json | undefined, theirs[key] as Json | undefined);
    if (value !== undefined) {
      carried[key] = value;
    }
  }
  return carried;
}

/** Whether two values are the same, whatever the order of their fields. */
function same(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, place) => same(item, other[place]));
  }
  if (isRecord(one) && isRecord(other)) {
    const keys = Object.keys(one);
    return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key] as Json, other[key] as Json));
  }
  return one === other;
}
