package dev.keelson.http.access;

import dev.keelson.api.GroupResource;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.PolicyRule;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.work.Turn;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes which namespaces are visible to a user: those that the user may get, with labels and
 * annotations, and those in which the user may do anything, with name and age only. Discloses
 * nothing that the authorizers do not allow the user to read otherwise.
 */
final class NamespaceVisibility {

  private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

  /** Maximum number of combinations of one rule that are authorized. */
  private static final int MOST_QUESTIONS = 16;

  /** Number of attempts if namespaces change during the computation. */
  private static final int ATTEMPTS = 3;

  /** A question to the authorizers costs about as much as so many elements of other work. */
  private static final int QUESTION = 32;

  private static final List<String> ALWAYS_SHOWN =
      List.of("name", "uid", "creationTimestamp", "deletionTimestamp");
  private static final List<String> SHOWN_TO_READERS = List.of("labels", "annotations");

  private final NamespaceSource directory;
  private final Authorizer authorizer;

  /**
   * The namespaces visible to a user.
   *
   * @param revision every change up to this revision is included
   * @param byName the objects without resourceVersion
   */
  record View(long revision, SortedMap<String, ApiObject> byName) {}

  NamespaceVisibility(NamespaceSource directory, Authorizer authorizer) {
    this.directory = directory;
    this.authorizer = authorizer;
  }

  /** Computes the namespaces visible to {@code user}. Blocks if an authorizer calls a webhook. */
  View look(UserInfo user) {
    for (int attempt = 1; ; attempt++) {
      NamespaceSource.State state = directory.state();
      SortedMap<String, ApiObject> seen = new TreeMap<>();
      for (Map.Entry<String, ApiObject> entry : state.byName().entrySet()) {
        Turn.pass(QUESTION);
        String name = entry.getKey();
        if (readable(user, name)) {
          seen.put(name, shown(entry.getValue(), /* readable= */ true));
        } else if (usable(user, name)) {
          seen.put(name, shown(entry.getValue(), /* readable= */ false));
        }
      }
      if (directory.lastChange() <= state.revision() || attempt == ATTEMPTS) {
        return new View(state.revision(), seen);
      }
    }
  }

  private boolean readable(UserInfo user, String name) {
    return authorizer
        .authorize(
            new Attributes(user, "get", Attributes.Resource.of(NAMESPACES, "v1", name, name)))
        .allowed();
  }

  /** Whether the user may do anything that a RoleBinding of the namespace grants. */
  private boolean usable(UserInfo user, String namespace) {
    for (PolicyRule rule : directory.granted(user, namespace)) {
      if (usable(user, namespace, rule)) {
        return true;
      }
    }
    return false;
  }

  /** The rule must be confirmed by the authorizers, since one before RBAC may deny it. */
  private boolean usable(UserInfo user, String namespace, PolicyRule rule) {
    int questions = 0;
    String name = rule.resourceNames().isEmpty() ? "" : rule.resourceNames().getFirst();
    for (String verb : rule.verbs()) {
      for (String group : rule.apiGroups()) {
        for (String resource : rule.resources()) {
          if (++questions > MOST_QUESTIONS) {
            return false;
          }
          Turn.pass(QUESTION);
          Attributes asked =
              new Attributes(
                  user,
                  verb.equals("*") ? "get" : verb,
                  target(group.equals("*") ? "" : group, resource, namespace, name));
          if (authorizer.authorize(asked).allowed()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static Attributes.Resource target(
      String group, String resource, String namespace, String name) {
    int slash = resource.indexOf('/');
    String main = slash < 0 ? resource : resource.substring(0, slash);
    return new Attributes.Resource(
        group,
        "v1",
        main.equals("*") ? "pods" : main,
        slash < 0 ? "" : resource.substring(slash + 1),
        namespace,
        name,
        "",
        "");
  }

  /** Sets the revision of the view as the object's resourceVersion. */
  static ApiObject at(long revision, ApiObject object) {
    return object.withMeta(object.meta().withText("resourceVersion", Long.toString(revision)));
  }

  private static ApiObject shown(ApiObject namespace, boolean readable) {
    MapNode all = namespace.meta().node();
    MapNode metadata = copied(MapNode.EMPTY, all, ALWAYS_SHOWN);
    if (readable) {
      metadata = copied(metadata, all, SHOWN_TO_READERS);
    }
    MapNode status =
        MapNode.of("phase", Node.text(namespace.root().map("status").text("phase")))
            .with("readable", Node.Bool.of(readable));
    return new ApiObject(MapNode.of("metadata", metadata).with("status", status));
  }

  private static MapNode copied(MapNode to, MapNode from, List<String> keys) {
    MapNode all = to;
    for (String key : keys) {
      Node value = from.get(key);
      if (value != null) {
        all = all.with(key, value);
      }
    }
    return all;
  }
}
