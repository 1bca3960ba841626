package dev.keelson.authz.abac;

import dev.keelson.authz.Attributes;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Set;

/**
 * One ABAC policy. {@code *} matches everything; an empty field matches nothing.
 *
 * @param readonly whether it only allows get, list and watch
 */
record Policy(
    String user,
    String group,
    String apiGroup,
    String resource,
    String namespace,
    String path,
    boolean readonly) {

  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final String ALL = "*";
  private static final String AUTHENTICATED = "system:authenticated";
  private static final String API_VERSION = "abac.authorization.kubernetes.io/v1beta1";

  /**
   * Parses a policy in JSON: in version {@code abac.authorization.kubernetes.io/v1beta1}, or
   * without a version in the older flat form, in which absent fields match everything.
   */
  static Policy of(MapNode line) {
    String version = line.text("apiVersion");
    if (version.isEmpty() && line.text("kind").isEmpty()) {
      return flat(line);
    }
    if (!version.equals(API_VERSION) || !line.text("kind").equals("Policy")) {
      throw new IllegalArgumentException(
          "kind Policy in "
              + API_VERSION
              + " is expected, found "
              + version
              + " "
              + line.text("kind"));
    }
    MapNode spec = line.map("spec");
    return new Policy(
            spec.text("user"),
            spec.text("group"),
            spec.text("apiGroup"),
            spec.text("resource"),
            spec.text("namespace"),
            spec.text("nonResourcePath"),
            spec.get("readonly") == Node.Bool.TRUE)
        .withAuthenticatedGroup();
  }

  private static Policy flat(MapNode line) {
    String user = line.text("user");
    String group = line.text("group");
    String resource = line.text("resource");
    String namespace = line.text("namespace");
    boolean nobody = user.isEmpty() && group.isEmpty();
    return new Policy(
            user,
            nobody ? AUTHENTICATED : group,
            ALL,
            resource.isEmpty() ? ALL : resource,
            namespace.isEmpty() ? ALL : namespace,
            resource.isEmpty() && namespace.isEmpty() ? ALL : "",
            line.get("readonly") == Node.Bool.TRUE)
        .withAuthenticatedGroup();
  }

  /** Parses a policy in CSV: user, group, apiGroup, resource, namespace, path, readonly. */
  static Policy of(List<String> cells) {
    if (cells.size() != 7) {
      throw new IllegalArgumentException(
          "expected seven values"
              + " (user,group,apiGroup,resource,namespace,nonResourcePath,readonly), found "
              + cells.size());
    }
    String readonly = cells.get(6);
    if (!readonly.equals("true") && !readonly.equals("false") && !readonly.isEmpty()) {
      throw new IllegalArgumentException(
          "readonly must be true, false or empty, found " + readonly);
    }
    return new Policy(
            cells.get(0),
            cells.get(1),
            cells.get(2),
            cells.get(3),
            cells.get(4),
            cells.get(5),
            readonly.equals("true"))
        .withAuthenticatedGroup();
  }

  /** {@code *} for users means all authenticated users; anonymous users must be named. */
  private Policy withAuthenticatedGroup() {
    return user.equals(ALL) || group.equals(ALL)
        ? new Policy("", AUTHENTICATED, apiGroup, resource, namespace, path, readonly)
        : this;
  }

  boolean concerns(UserInfo who) {
    return !(user.isEmpty() && group.isEmpty())
        && (user.isEmpty() || user.equals(who.name()))
        && (group.isEmpty() || who.groups().contains(group));
  }

  boolean allows(Attributes asked) {
    if (!concerns(asked.user()) || (readonly && !READING.contains(asked.verb()))) {
      return false;
    }
    return switch (asked.target()) {
      case Attributes.Resource target ->
          matches(namespace, target.namespace())
              && matches(resource, target.resource())
              && matches(apiGroup, target.group());
      case Attributes.Path target -> matchesPath(target.path());
    };
  }

  static boolean matches(String allowed, String asked) {
    return allowed.equals(ALL) || allowed.equals(asked);
  }

  private boolean matchesPath(String asked) {
    return matches(path, asked)
        || (path.endsWith(ALL) && asked.startsWith(path.substring(0, path.length() - 1)));
  }
}
