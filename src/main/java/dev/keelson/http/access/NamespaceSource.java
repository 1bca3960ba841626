package dev.keelson.http.access;

import dev.keelson.authz.PolicyRule;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.ReadVersion;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.SortedMap;

/** What {@link VisibleNamespaces} has to know of the cluster. Safe for use by several threads. */
public interface NamespaceSource {

  /**
   * The namespaces at some moment.
   *
   * @param revision what was written up to it is known, of namespaces, roles and bindings
   * @param byName the objects as they are stored
   */
  record State(long revision, SortedMap<String, ApiObject> byName) {}

  /** What is known now; every decision that is made after this call knows as much. */
  State state();

  /**
   * The revision of the last change to a namespace, role or binding that a decision has taken in.
   */
  long lastChange();

  /**
   * Blocks until the next {@link #state} is as new as {@code version} asks for.
   *
   * @throws dev.keelson.api.ApiException of reason Timeout if that takes too long
   */
  void await(ReadVersion version);

  /** What role bindings in a namespace give to a user; nothing where roles decide nothing. */
  List<PolicyRule> granted(UserInfo user, String namespace);

  /**
   * Has {@code changed} run, on any thread and without blocking, whenever there may be something
   * new.
   *
   * @return ends that
   */
  Runnable listen(Runnable changed);
}
