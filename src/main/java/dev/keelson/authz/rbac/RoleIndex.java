package dev.keelson.authz.rbac;

import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.rbac.Grant.RoleRef;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Roles by name and bindings by subject, so that a decision only visits the grants of the user. One
 * thread writes; any number read concurrently, since the values are immutable.
 */
final class RoleIndex implements ObjectSink<RoleSource.Kind> {

  private record Key(String namespace, String name) {}

  /** Grants within one namespace, or cluster-wide. */
  private static final class Grants {
    private final Map<String, List<Grant>> bySubject = new ConcurrentHashMap<>();

    void add(Grant grant) {
      bySubject.merge(grant.subject(), List.of(grant), Grants::joined);
    }

    void remove(Grant grant) {
      bySubject.computeIfPresent(
          grant.subject(),
          (subject, grants) -> {
            List<Grant> rest = new ArrayList<>(grants);
            rest.remove(grant);
            return rest.isEmpty() ? null : List.copyOf(rest);
          });
    }

    private static List<Grant> joined(List<Grant> known, List<Grant> more) {
      List<Grant> all = new ArrayList<>(known.size() + more.size());
      all.addAll(known);
      all.addAll(more);
      return List.copyOf(all);
    }
  }

  private final Map<String, ApiObject> clusterRoles = new ConcurrentHashMap<>();
  private final Map<RoleRef, List<PolicyRule>> rules = new ConcurrentHashMap<>();
  private final Map<Key, List<Grant>> bindings = new ConcurrentHashMap<>();
  private final Map<String, Grants> byNamespace = new ConcurrentHashMap<>();

  /**
   * Visits the grants of {@code user} that are cluster-wide or in {@code namespace}, if not empty.
   */
  void visit(UserInfo user, String namespace, Visitor visitor) {
    if (visit(user, byNamespace.get(""), visitor) && !namespace.isEmpty()) {
      boolean unused = visit(user, byNamespace.get(namespace), visitor);
    }
  }

  /** Visits grants. */
  interface Visitor {
    /** Returns false to stop. */
    boolean see(Grant grant);
  }

  private static boolean visit(UserInfo user, @Nullable Grants grants, Visitor visitor) {
    if (grants == null) {
      return true;
    }
    if (!visit(grants.bySubject.get(Grant.user(user.name())), visitor)) {
      return false;
    }
    for (String group : user.groups()) {
      if (!visit(grants.bySubject.get(Grant.group(group)), visitor)) {
        return false;
      }
    }
    return true;
  }

  private static boolean visit(@Nullable List<Grant> grants, Visitor visitor) {
    if (grants != null) {
      for (int i = 0; i < grants.size(); i++) {
        if (!visitor.see(grants.get(i))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Visits the grants of {@code user} by RoleBindings of {@code namespace} only. */
  void visitBindingsIn(UserInfo user, String namespace, Visitor visitor) {
    boolean unused = visit(user, byNamespace.get(namespace), visitor);
  }

  /** Returns the rules of a role; empty if it does not exist. */
  Optional<List<PolicyRule>> rules(RoleRef role) {
    return Optional.ofNullable(rules.get(role));
  }

  /** Returns every cluster role. */
  Collection<ApiObject> clusterRoles() {
    return clusterRoles.values();
  }

  @Override
  public void clear(RoleSource.Kind kind) {
    switch (kind) {
      case CLUSTER_ROLE -> {
        clusterRoles.clear();
        rules.keySet().removeIf(role -> role.kind().equals("ClusterRole"));
      }
      case ROLE -> rules.keySet().removeIf(role -> role.kind().equals("Role"));
      case CLUSTER_ROLE_BINDING -> unbind(true);
      case ROLE_BINDING -> unbind(false);
    }
  }

  private void unbind(boolean cluster) {
    List<Key> known = new ArrayList<>(bindings.keySet());
    known.removeIf(key -> key.namespace().isEmpty() != cluster);
    known.forEach(this::unbind);
  }

  @Override
  public void put(RoleSource.Kind kind, ApiObject object) {
    String namespace = object.meta().namespace();
    String name = object.meta().name();
    switch (kind) {
      case CLUSTER_ROLE -> {
        clusterRoles.put(name, object);
        rules.put(new RoleRef("ClusterRole", "", name), RuleEvaluation.of(object.root()));
      }
      case ROLE ->
          rules.put(new RoleRef("Role", namespace, name), RuleEvaluation.of(object.root()));
      case CLUSTER_ROLE_BINDING, ROLE_BINDING -> bind(new Key(namespace, name), Grant.of(object));
    }
  }

  @Override
  public void remove(RoleSource.Kind kind, String namespace, String name) {
    switch (kind) {
      case CLUSTER_ROLE -> {
        clusterRoles.remove(name);
        rules.remove(new RoleRef("ClusterRole", "", name));
      }
      case ROLE -> rules.remove(new RoleRef("Role", namespace, name));
      case CLUSTER_ROLE_BINDING, ROLE_BINDING -> unbind(new Key(namespace, name));
    }
  }

  /** Adds the new grants before it removes the old ones, so that grants in both never disappear. */
  private void bind(Key key, List<Grant> grants) {
    List<Grant> old = bindings.put(key, grants);
    Grants there = byNamespace.computeIfAbsent(key.namespace(), namespace -> new Grants());
    grants.forEach(there::add);
    if (old != null) {
      old.forEach(there::remove);
    }
  }

  private void unbind(Key key) {
    List<Grant> old = bindings.remove(key);
    Grants there = byNamespace.get(key.namespace());
    if (old != null && there != null) {
      old.forEach(there::remove);
    }
  }
}
