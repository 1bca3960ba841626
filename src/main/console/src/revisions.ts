import { ApiError, METADATA_LIST, get, query } from './api';
import type { KubeObject, List } from './types';

/** The revisions of the store at which a list can be read. */
export interface Range {
  oldest: number;
  newest: number;
}

/** Finds the oldest revision that can be read, by halves: some twenty small requests. */
export async function rangeOf(path: string, signal?: AbortSignal): Promise<Range> {
  const call = { accept: METADATA_LIST, ...(signal ? { signal } : {}) };
  const newest = Number((await get<List<KubeObject>>(path + '?limit=1', call)).metadata.resourceVersion ?? 1);
  let low = 1;
  let high = newest;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    try {
      await get(path + query({ limit: '1', resourceVersion: String(middle), resourceVersionMatch: 'Exact' }), call);
      high = middle;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 410) {
        throw error;
      }
      low = middle + 1;
    }
  }
  return { oldest: high, newest };
}
