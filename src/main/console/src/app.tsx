import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { METADATA_LIST, actAs, acting, followSession, get, keepSession, messageOf, pathOf, sessionState, signIn, signOut, whenUnauthorized, whoAmI, type User } from './api';
import { discover, type Catalog } from './discovery';
import { Lazy } from './lazy';
import { ObjectView } from './object';
import { Overview } from './overview';
import { ErrorBox } from './parts';
import { LOGIN, dropUnsaved, followLinks, go, hasUnsaved, mayLeave, tableLink, useRoute, type Route } from './router';
import { Shortcuts } from './shortcuts';
import { TableView } from './table';
import { visible } from './text';
import type { KubeObject, List, Resource } from './types';

/** undefined: not known yet; null: nobody. */
type Known = User | null | undefined;

export function App() {
  const [user, setUser] = useState<Known>();
  const [catalog, setCatalog] = useState<Catalog>();
  const [error, setError] = useState<unknown>();
  // the session has ended while a text was edited: the page stays, unseen, for the same user
  const [away, setAway] = useState(false);
  const left = () => {
    if (hasUnsaved()) {
      // a dialog that is open would keep the keyboard
      document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
      setAway(true);
    } else {
      setUser(null);
    }
  };
  const look = () => {
    setError(undefined);
    whoAmI().then((found) => {
      if (found) {
        setUser(found);
        setAway(false);
      } else {
        left();
      }
    }, setError);
  };
  useEffect(() => {
    whenUnauthorized(left);
    look();
  }, []);
  useEffect(() => (user ? keepSession() : undefined), [user]);
  useEffect(() => (user === undefined ? undefined : followSession(look)), [user]);
  const name = user?.username;
  useEffect(() => {
    if (name !== undefined) {
      discover().then(setCatalog, setError);
    }
  }, [name]);
  if (user === null) {
    return <SignIn done={look} />;
  }
  if (error !== undefined) {
    return (
      <main class="alone">
        <ErrorBox error={error} />
        <Banner />
      </main>
    );
  }
  return user && catalog ? (
    <>
      {away && <SignIn done={look} kept />}
      <div class="kept" hidden={away}>
        <Console key={user.username} user={user} catalog={catalog} reload={() => void discover().then(setCatalog, () => {})} leave={() => setUser(null)} />
      </div>
    </>
  ) : (
    <p class="loading">Keelson</p>
  );
}

/** Why a login at the provider has failed, by what the server puts into the address. */
const FAILURES: Record<string, string> = {
  expired: 'The login took too long, or was begun in another window. Begin it again.',
  denied: 'The provider has not confirmed the login.',
  refused: 'The server does not accept what the provider has sent. Its log says why.',
  unavailable: 'The OpenID Connect provider cannot be reached.',
};

/** Where a login comes back to: the view that was asked for. */
function loginLink(issuer?: string): string {
  const query = new URLSearchParams(location.search);
  query.delete('login');
  const text = query.toString();
  const at = issuer ? `&issuer=${encodeURIComponent(issuer)}` : '';
  return `${LOGIN}?to=${encodeURIComponent(location.pathname + (text ? '?' + text : ''))}${at}`;
}

function SignIn({ done, kept }: { done: () => void; kept?: boolean }) {
  const [token, setToken] = useState('');
  const [error, setError] = useState(FAILURES[new URLSearchParams(location.search).get('login') ?? ''] ?? '');
  const [provider, setProvider] = useState(false);
  const [issuers, setIssuers] = useState<string[]>([]);
  useEffect(() => {
    sessionState().then(
      (session) => {
        setProvider(session.login);
        setIssuers(session.issuers ?? []);
      },
      () => setProvider(false),
    );
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    setError('');
    signIn(token.trim()).then(
      () => {
        setToken('');
        done();
      },
      (problem) => setError(problem.code === 401 ? 'The server does not accept this token.' : messageOf(problem)),
    );
  };
  return (
    <main class="alone">
      <form class="sign-in" onSubmit={submit}>
        <h1>Keelson</h1>
        {kept && (
          <p role="status">
            Your session has ended. The text that you have edited is kept: sign in by a token here, or in another window of this browser.
          </p>
        )}
        {issuers.map((issuer) => (
          <a class="button primary" key={issuer} href={loginLink(issuer)}>
            Sign in at {issuer.replace(/^https:\/\//, '')}
          </a>
        ))}
        {provider && !issuers.length && (
          <a class="button primary" href={loginLink()}>
            Sign in with OpenID Connect
          </a>
        )}
        <label>
          Bearer token
          <input
            type="password"
            name="token"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <button type="submit" class={provider ? '' : 'primary'}>
          Sign in
        </button>
        <p class="hint">
          <code>kubectl create token NAME</code> prints a token of a service account. With a client certificate in the browser no token is
          needed: the page opens signed in.
        </p>
      </form>
    </main>
  );
}

/** What is in the title of the window, before the name of the console. */
function titleOf(route: Route, type: Resource | undefined): string[] {
  switch (route.view) {
    case 'table':
      return [type?.kind ?? '', route.namespace];
    case 'object':
      return [route.name, type?.kind ?? ''];
    case 'create':
      return [`Create ${type?.kind ?? ''}`];
    default:
      return [route.view.charAt(0).toUpperCase() + route.view.slice(1)];
  }
}

function Console({ user, catalog, reload, leave }: { user: User; catalog: Catalog; reload: () => void; leave: () => void }) {
  const route = useRoute();
  const [help, setHelp] = useState(false);
  const content = useRef<HTMLElement>(null);
  const type = route.view === 'table' || route.view === 'object' || route.view === 'create' ? catalog.find(route.group, route.resource, route.version) : undefined;
  const namespace = 'namespace' in route ? route.namespace : '';
  const path = location.pathname;
  const begun = useRef(path);
  useEffect(() => {
    document.title = visible([...titleOf(route, type), 'Keelson'].filter(Boolean).join(' · '));
  }, [path, type]);
  useEffect(() => {
    if (begun.current === path) {
      return;
    }
    begun.current = '';
    content.current!.scrollTop = 0;
    const { activeElement } = document;
    // a view by a link or a key: what had the focus is of the view before, or leads to this one
    if (!activeElement || activeElement === document.body || activeElement.matches('.console a')) {
      content.current!.focus({ preventScroll: true });
    }
  }, [path]);
  const unknown = 'resource' in route && !type;
  // types come with custom resource definitions
  useEffect(() => (unknown ? reload() : undefined), [path, unknown]);
  return (
    <div class="console" onClick={followLinks}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Shortcuts type={type} help={help} setHelp={setHelp} />
      <Navigation catalog={catalog} type={type} namespace={namespace} />
      <div class="page">
        <div role="banner">
          <Top user={user} catalog={catalog} type={type} namespace={namespace} leave={leave} help={() => setHelp(true)} />
          <Banner />
        </div>
        <main id="content" tabIndex={-1} ref={content}>
          <View route={route} type={type} catalog={catalog} />
        </main>
      </div>
    </div>
  );
}

function View({ route, type, catalog }: { route: Route; type: Resource | undefined; catalog: Catalog }) {
  if (route.view === 'overview') {
    return <Overview catalog={catalog} />;
  }
  if (type && route.view === 'table') {
    const key = `${type.group}/${type.resource}/${route.namespace}`;
    return <TableView key={key} type={type} namespace={route.namespace} search={route.query} />;
  }
  if (type && route.view === 'object') {
    const key = `${type.group}/${type.resource}/${route.namespace}/${route.name}`;
    return <ObjectView key={key} type={type} namespace={route.namespace} name={route.name} search={route.query} catalog={catalog} />;
  }
  if (type && route.view === 'create') {
    return <Lazy load={() => import('./create').then((part) => part.CreateView)} props={{ type, namespace: route.namespace }} />;
  }
  if (route.view === 'access') {
    return <Lazy load={() => import('./access').then((part) => part.AccessView)} props={{ catalog, search: route.query }} />;
  }
  if (route.view === 'changes') {
    return <Lazy load={() => import('./changes').then((part) => part.ChangesView)} props={{ catalog, search: route.query }} />;
  }
  const events = catalog.find('audit.keelson.dev', 'auditevents');
  if (route.view === 'audit' && events) {
    return <Lazy load={() => import('./audit').then((part) => part.AuditView)} props={{ type: events, catalog, search: route.query }} />;
  }
  return (
    <p class="empty">
      The server has no such type. <a href="/console/">To the overview</a>
    </p>
  );
}

/** Says for whom the page is shown, as long as it is not the signed-in user. */
function Banner() {
  const other = acting();
  return other ? (
    <p class="acting" role="status">
      <span>
        You see the console as <strong>{other.user}</strong>
        {other.group && ` in the group ${other.group}`}, with the rights of this user.
      </span>{' '}
      <button type="button" onClick={() => actAs(undefined)}>
        Be yourself again
      </button>
    </p>
  ) : null;
}

function Top(props: { user: User; catalog: Catalog; type: Resource | undefined; namespace: string; leave: () => void; help: () => void }) {
  const { user, catalog, type, namespace, leave, help } = props;
  const byCertificate = user.extra?.['authentication.kubernetes.io/credential-id']?.some((id) => id.startsWith('X509'));
  return (
    <div class="top">
      <Namespaces catalog={catalog} type={type} namespace={namespace} />
      <button type="button" aria-haspopup="dialog" onClick={help}>
        Keyboard
      </button>
      <ThemeButton />
      <span class="user" title={(user.groups ?? []).join('\n')}>
        {user.username}
      </span>
      {byCertificate ? (
        <span class="hint" title="The browser holds the certificate; it is used until the browser is closed.">
          by certificate
        </span>
      ) : (
        <button type="button" onClick={() => {
            if (mayLeave()) {
              dropUnsaved();
              void signOut().finally(leave);
            }
          }}>
          Sign out
        </button>
      )}
    </div>
  );
}

const THEME = 'keelson-theme';

/** Dark, light, or what the system says. */
function ThemeButton() {
  const [theme, setTheme] = useState(localStorage.getItem(THEME) ?? '');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(THEME, theme);
  }, [theme]);
  const next = theme === '' ? 'dark' : theme === 'dark' ? 'light' : '';
  return (
    <button type="button" onClick={() => setTheme(next)} aria-label={`Colours: ${theme || 'system'}; change to ${next || 'system'}`}>
      Colours: {theme || 'system'}
    </button>
  );
}

/** The namespaces that the user may see. */
function Namespaces({ catalog, type, namespace }: { catalog: Catalog; type: Resource | undefined; namespace: string }) {
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    const source = catalog.find('access.keelson.dev', 'visiblenamespaces') ?? catalog.find('', 'namespaces');
    const load = () => {
      if (source) {
        get<List<KubeObject>>(pathOf(source), source.group ? {} : { accept: METADATA_LIST }).then(
          (list) => setNames(list.items.map((item) => item.metadata.name).sort()),
          // the list is an offer: a namespace can be written in the address
          () => setNames([]),
        );
      }
    };
    load();
    addEventListener('focus', load);
    return () => removeEventListener('focus', load);
  }, [catalog]);
  if (!type?.namespaced) {
    return <span class="namespaces" />;
  }
  const offered = namespace && !names.includes(namespace) ? [...names, namespace] : names;
  return (
    <label class="namespaces">
      Namespace
      <select value={namespace} onChange={(event) => go(tableLink(type, event.currentTarget.value))}>
        <option value="">all</option>
        {offered.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The groups that most users look for first; others follow by name. */
const FIRST = ['', 'apps', 'batch', 'networking.k8s.io', 'rbac.authorization.k8s.io', 'storage.k8s.io'];

function Navigation({ catalog, type, namespace }: { catalog: Catalog; type: Resource | undefined; namespace: string }) {
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState(false);
  const groups = useMemo(() => grouped(catalog.listed(), filter.toLowerCase()), [catalog, filter]);
  return (
    <nav class={open ? 'types open' : 'types'} aria-label="Types">
      <div class="brand">
        <a href="/console/">Keelson</a>
        <button type="button" class="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
          Types
        </button>
      </div>
      <div class="list" onClick={() => setOpen(false)}>
        <input
          type="search"
          aria-label="Find a type"
          placeholder="Find a type (t)"
          data-shortcut="t"
          value={filter}
          onClick={(event) => event.stopPropagation()}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <ul class="tools">
          {tools(catalog).map(([title, address]) => (
            <li key={address}>
              <a href={address} {...(location.pathname === address ? { 'aria-current': 'page' as const } : {})}>
                {title}
              </a>
            </li>
          ))}
        </ul>
        {groups.map(([group, types]) => (
          <section key={group}>
            <h2>{group || 'core'}</h2>
            <ul>
              {types.map((each) => (
                <li key={each.resource}>
                  <a href={tableLink(each, each.namespaced ? namespace : '')} {...(each === type ? { 'aria-current': 'page' as const } : {})}>
                    {each.kind}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

/** The views that are of no single type. */
function tools(catalog: Catalog): [string, string][] {
  const all: [string, string][] = [
    ['Overview', '/console/'],
    ['Access', '/console/access'],
    ['Changes', '/console/changes'],
  ];
  return catalog.find('audit.keelson.dev', 'auditevents') ? [...all, ['Audit', '/console/audit']] : all;
}

function grouped(types: Resource[], filter: string): [string, Resource[]][] {
  const groups = new Map<string, Resource[]>();
  for (const type of types) {
    const words = [type.kind, type.resource, type.group, ...type.shortNames];
    if (words.some((word) => word.toLowerCase().includes(filter))) {
      groups.set(type.group, [...(groups.get(type.group) ?? []), type]);
    }
  }
  const rank = (group: string) => (FIRST.includes(group) ? FIRST.indexOf(group) : FIRST.length);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}
