package dev.keelson.server.cache;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.rbac.RbacAuthorizer;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.http.access.NamespaceSource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces, roles and bindings of the watch cache, from which visiblenamespaces is computed.
 */
public final class CachedNamespaces implements NamespaceSource, AutoCloseable {

  /** How long a read waits for a future revision, as in kube-apiserver. */
  private static final Duration FUTURE_WAIT = Duration.ofSeconds(3);

  /** Number of waits for the feed, of half a second each. */
  private static final int FRESH_ATTEMPTS = 10;

  private final Reflectors<Kind> namespaces;
  private final Reflectors<RoleSource.Kind> roles;
  private final @Nullable RbacAuthorizer bindings;

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** The namespaces, guarded by the lock, and a copy for readers, null after a change. */
  private final SortedMap<String, ApiObject> known = new TreeMap<>();

  private @Nullable SortedMap<String, ApiObject> shared;

  /** The kind of objects. */
  public enum Kind {
    NAMESPACE
  }

  /**
   * @param bindings resolves RoleBindings; null if RBAC is not an authorization mode
   */
  public CachedNamespaces(
      Reflectors<Kind> namespaces,
      Reflectors<RoleSource.Kind> roles,
      @Nullable RbacAuthorizer bindings) {
    this.namespaces = namespaces;
    this.roles = roles;
    this.bindings = bindings;
  }

  @Override
  public State state() {
    lock.lock();
    try {
      // loads the cache, so that its revision is known
      catchUp();
      long reached = namespaces.reached();
      roles.refresh();
      namespaces.refresh();
      return new State(reached, catchUp());
    } finally {
      lock.unlock();
    }
  }

  private SortedMap<String, ApiObject> catchUp() {
    namespaces.catchUp(new Known());
    SortedMap<String, ApiObject> copy = shared;
    if (copy == null) {
      copy = Collections.unmodifiableSortedMap(new TreeMap<>(known));
      shared = copy;
    }
    return copy;
  }

  private final class Known implements ObjectSink<Kind> {
    @Override
    public void clear(Kind kind) {
      known.clear();
      shared = null;
    }

    @Override
    public void put(Kind kind, ApiObject object) {
      known.put(object.meta().name(), object);
      shared = null;
    }

    @Override
    public void remove(Kind kind, String namespace, String name) {
      known.remove(name);
      shared = null;
    }
  }

  @Override
  public long lastChange() {
    return Math.max(roles.changed(), namespaces.changed());
  }

  @Override
  public void await(ReadVersion version) {
    try {
      boolean there =
          switch (version) {
            case ReadVersion.Newest _ -> newest();
            case ReadVersion.Any _ -> true;
            case ReadVersion.NotOlderThan least -> namespaces.await(least.revision(), FUTURE_WAIT);
            case ReadVersion.Exactly exact -> namespaces.await(exact.revision(), FUTURE_WAIT);
          };
      if (!there) {
        throw late(version);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted", ErrorDetails.NONE, e);
    }
  }

  private boolean newest() throws InterruptedException {
    for (int attempt = 0; attempt < FRESH_ATTEMPTS; attempt++) {
      if (namespaces.awaitNewest()) {
        return true;
      }
    }
    return false;
  }

  private ApiException late(ReadVersion version) {
    return switch (version) {
      case ReadVersion.Newest _, ReadVersion.Any _ ->
          new ApiException(
              Reason.SERVER_TIMEOUT,
              "the watch cache has not caught up with the last write",
              ErrorDetails.NONE.withRetryAfterSeconds(1),
              null);
      case ReadVersion.NotOlderThan least ->
          ObjectStates.tooLarge(least.revision(), namespaces.reached());
      case ReadVersion.Exactly exact ->
          ObjectStates.tooLarge(exact.revision(), namespaces.reached());
    };
  }

  @Override
  public List<PolicyRule> granted(UserInfo user, String namespace) {
    return bindings == null ? List.of() : bindings.grantedIn(user, namespace);
  }

  @Override
  public Runnable listen(Runnable changed) {
    Runnable fromNamespaces = namespaces.listen(changed);
    Runnable fromRoles = roles.listen(changed);
    Runnable own = changed;
    listeners.add(own);
    return () -> {
      listeners.remove(own);
      fromNamespaces.run();
      fromRoles.run();
    };
  }

  /** Notifies the listeners of a change of the authorizer. */
  public void authorizerChanged() {
    listeners.forEach(Runnable::run);
  }

  @Override
  public void close() {
    namespaces.close();
  }
}
