package dev.keelson.http.access;

import dev.keelson.authz.PolicyRule;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.ReadVersion;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.SortedMap;

/**
 * The namespaces and role bindings from which {@link VisibleNamespaces} is computed. Safe for use
 * by several threads.
 */
public interface NamespaceSource {

  /**
   * A state of the namespaces.
   *
   * @param revision every write of a namespace, role or binding up to this revision is included
   * @param byName the stored objects by name
   */
  record State(long revision, SortedMap<String, ApiObject> byName) {}

  /** Returns the current state; decisions made after this call are at least as new. */
  State state();

  /** The revision of the last applied change of a namespace, role or binding. */
  long lastChange();

  /**
   * Blocks until the next {@link #state} is at least as new as {@code version}.
   *
   * @throws dev.keelson.api.ApiException of reason Timeout if that takes too long
   */
  void await(ReadVersion version);

  /**
   * Returns the rules that RoleBindings of a namespace grant to a user; empty if RBAC is not an
   * authorization mode.
   */
  List<PolicyRule> granted(UserInfo user, String namespace);

  /**
   * Adds a listener that runs on any thread after changes; it must not block.
   *
   * @return removes the listener
   */
  Runnable listen(Runnable changed);
}
