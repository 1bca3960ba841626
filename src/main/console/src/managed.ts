import { isRecord } from './api';
import type { Json, KubeObject, ManagedFields } from './types';

/** Who owns a field. */
export interface Owner {
  manager: string;
  operation: string;
  subresource: string;
  time: string;
}

/** The sets of fields of an object's managers (structured-merge-diff's fieldsV1). */
export class Ownership {
  readonly owners: Owner[];
  private readonly sets: { owner: Owner; fields: { [key: string]: Json } }[];
  private readonly object: Json;

  constructor(object: KubeObject) {
    this.object = object as unknown as Json;
    this.sets = (object.metadata.managedFields ?? []).map((entry) => ({ owner: ownerOf(entry), fields: entry.fieldsV1 ?? {} }));
    this.owners = this.sets.map((set) => set.owner);
  }

  /** The owners of the field at a path, by the most precise entry of each. */
  of(path: (string | number)[]): Owner[] {
    return this.sets.filter(({ fields }) => this.owns(fields, path)).map(({ owner }) => owner);
  }

  private owns(fields: { [key: string]: Json }, path: (string | number)[]): boolean {
    let at: Json | undefined = fields;
    let value: Json | undefined = this.object;
    for (let i = 0; i < path.length; i++) {
      if (!isRecord(at)) {
        return false;
      }
      const step: string | number = path[i]!;
      const entry: string | undefined = typeof step === 'string' ? `f:${step}` : itemKey(at, value, step);
      const next: Json | undefined = entry === undefined ? undefined : at[entry];
      if (next === undefined) {
        return false;
      }
      if (isRecord(next) && Object.keys(next).length === 0) {
        // an atomic value is owned as a whole
        return true;
      }
      value = childOf(value, step);
      at = next;
    }
    // a map or an item is owned itself if its set says so ("."), else only some fields below
    return isRecord(at) && '.' in at;
  }
}

function childOf(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof step === 'number') {
    return Array.isArray(value) ? value[step] : undefined;
  }
  return isRecord(value) ? value[step] : undefined;
}

/** The entry of a list item: by keys ("k:"), by value ("v:") or by place ("i:"). */
function itemKey(fields: { [key: string]: Json }, list: Json | undefined, place: number): string | undefined {
  const item = Array.isArray(list) ? list[place] : undefined;
  for (const entry of Object.keys(fields)) {
    if (entry === `i:${place}`) {
      return entry;
    }
    if (entry.startsWith('v:') && entry.slice(2) === JSON.stringify(item)) {
      return entry;
    }
    if (entry.startsWith('k:') && isRecord(item)) {
      const keys = JSON.parse(entry.slice(2)) as { [key: string]: Json };
      // a defaulted key may be absent from what is shown, never the reverse
      if (Object.entries(keys).every(([key, value]) => item[key] === value)) {
        return entry;
      }
    }
  }
  return undefined;
}

function ownerOf(entry: ManagedFields): Owner {
  return {
    manager: entry.manager ?? 'unknown',
    operation: entry.operation ?? '',
    subresource: entry.subresource ?? '',
    time: entry.time ?? '',
  };
}

/** The part of an object that a manager has applied: what it would send to apply it again. */
export function appliedBy(manager: string, object: KubeObject): { [key: string]: Json } {
  const { apiVersion, kind, metadata } = object;
  const identity = { name: metadata.name, ...(metadata.namespace ? { namespace: metadata.namespace } : {}) };
  const entry = metadata.managedFields?.find((each) => each.manager === manager && each.operation === 'Apply' && !each.subresource);
  const owned = entry?.fieldsV1 ? part(object as unknown as Json, entry.fieldsV1) : {};
  const rest = isRecord(owned) ? owned : {};
  const own = isRecord(rest['metadata']) ? rest['metadata'] : {};
  return { apiVersion, kind, ...rest, metadata: { ...identity, ...own } };
}

/** The part of a value that is in a set of fields. */
function part(value: Json, fields: { [key: string]: Json }): Json {
  if (Object.keys(fields).length === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, place) => {
      const entry = itemKey(fields, value, place);
      const below = entry === undefined ? undefined : fields[entry];
      return isRecord(below) ? [withKeys(entry!, part(item, below))] : [];
    });
  }
  if (!isRecord(value)) {
    return value;
  }
  const kept: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) {
    const below = fields[`f:${key}`];
    if (isRecord(below)) {
      kept[key] = part(item, below);
    }
  }
  return kept;
}

/** An item of a list is known by its keys, which are not always owned themselves. */
function withKeys(entry: string, item: Json): Json {
  return entry.startsWith('k:') && isRecord(item) ? { ...(JSON.parse(entry.slice(2)) as { [key: string]: Json }), ...item } : item;
}
