import { useEffect, useState } from 'preact/hooks';
import type { Resource } from './types';

/** A view of the console, as its address names it: every view has a link. */
export type Route =
  | { view: 'overview' }
  | { view: 'table'; group: string; version: string; resource: string; namespace: string; query: URLSearchParams }
  | { view: 'object'; group: string; version: string; resource: string; namespace: string; name: string; query: URLSearchParams }
  | { view: 'create'; group: string; version: string; resource: string; namespace: string; query: URLSearchParams }
  | { view: 'access'; query: URLSearchParams }
  | { view: 'audit'; query: URLSearchParams }
  | { view: 'changes'; query: URLSearchParams }
  | { view: 'unknown' };

const ROOT = '/console/';
/** Answered by the server, which sends the browser to the provider. */
export const LOGIN = '/console/login';
/** Stands for the core group, whose name is empty. */
const CORE = 'core';

export function parse(path: string, search: string): Route {
  const parts = path.slice(ROOT.length).split('/').filter(Boolean).map(decodeURIComponent);
  if (parts.length === 0) {
    return { view: 'overview' };
  }
  const [first, group = '', version = '', resource = '', namespace = '', name = ''] = parts;
  const query = new URLSearchParams(search);
  const type = { group: group === CORE ? '' : group, version, resource };
  if (first === 'list' && resource) {
    return { view: 'table', ...type, namespace, query };
  }
  if (first === 'create' && resource) {
    return { view: 'create', ...type, namespace, query };
  }
  if ((first === 'access' || first === 'audit' || first === 'changes') && parts.length === 1) {
    return { view: first, query };
  }
  if (first === 'object' && name) {
    return { view: 'object', ...type, namespace: namespace === '-' ? '' : namespace, name, query };
  }
  return { view: 'unknown' };
}

type Named = Pick<Resource, 'group' | 'version' | 'resource'>;

export function tableLink(type: Named, namespace = ''): string {
  return link('list', type, namespace);
}

export function objectLink(type: Named, namespace: string, name: string): string {
  return link('object', type, namespace || '-', name);
}

export function createLink(type: Named, namespace = ''): string {
  return link('create', type, namespace);
}

function link(view: string, type: Named, ...rest: string[]): string {
  return ROOT + [view, type.group || CORE, type.version, type.resource, ...rest].filter(Boolean).map(encodeURIComponent).join('/');
}

const listeners = new Set<() => void>();

/** The text that would be lost with the view that is shown, if any. */
let unsaved: (() => boolean) | undefined;
const QUESTION = 'The text that you have edited is not saved. Leave it?';

/** Whether the view that is shown has a text that is not saved. */
export function hasUnsaved(): boolean {
  return unsaved?.() ?? false;
}

/**
 * Makes the router and the browser ask before they leave the view that is shown.
 *
 * @param check whether there is something to lose
 * @returns what ends that
 */
export function keepUnsaved(check: () => boolean): () => void {
  unsaved = check;
  const leave = (event: BeforeUnloadEvent) => hasUnsaved() && event.preventDefault();
  addEventListener('beforeunload', leave);
  return () => {
    unsaved = unsaved === check ? undefined : unsaved;
    removeEventListener('beforeunload', leave);
  };
}

/** Lets the view that is shown go with what is not saved of it. */
export function dropUnsaved(): void {
  unsaved = undefined;
}

/** Whether the view that is shown may be left; the user is asked if something would be lost. */
export function mayLeave(): boolean {
  return !hasUnsaved() || confirm(QUESTION);
}

/** Whether an address is of the same view and the same part of it. */
function isSameView(to: URL): boolean {
  return to.pathname === shownAt.pathname && to.searchParams.get('tab') === shownAt.searchParams.get('tab');
}

/** The address of the view that is shown, also after the browser has gone back to another. */
let shownAt = new URL(location.href);

/** Shows another view. */
export function go(path: string, replace = false): void {
  const to = new URL(path, location.href);
  if (!isSameView(to) && !mayLeave()) {
    return;
  }
  if (replace) {
    history.replaceState(null, '', path);
  } else {
    history.pushState(null, '', path);
  }
  shownAt = to;
  listeners.forEach((listener) => listener());
}

/** The browser has gone back or on already: the user's answer can only bring the address back. */
function goneBack(): void {
  const to = new URL(location.href);
  if (isSameView(to) || mayLeave()) {
    shownAt = to;
    listeners.forEach((listener) => listener());
  } else {
    history.pushState(null, '', shownAt.href);
  }
}

/** Sets parameters of the view that is shown; undefined removes one. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) {
      query.set(name, value);
    } else {
      query.delete(name);
    }
  }
  const text = query.toString();
  go(location.pathname + (text ? '?' + text : ''), true);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parse(location.pathname, location.search));
  useEffect(() => {
    const update = () => setRoute(parse(location.pathname, location.search));
    listeners.add(update);
    addEventListener('popstate', goneBack);
    return () => {
      listeners.delete(update);
      removeEventListener('popstate', goneBack);
    };
  }, []);
  return route;
}

/** Makes links of the console change the view without loading the page. */
export function followLinks(event: MouseEvent): void {
  const anchor = (event.target as Element).closest?.('a');
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  // a place on this page is the browser's matter
  if (anchor && plain && !anchor.hash && anchor.origin === location.origin && anchor.pathname.startsWith(ROOT) && anchor.pathname !== LOGIN) {
    event.preventDefault();
    go(anchor.pathname + anchor.search);
  }
}
