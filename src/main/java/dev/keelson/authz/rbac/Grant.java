package dev.keelson.authz.rbac;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The grant of one binding to one subject.
 *
 * @param subject the key of the index: a prefix and the name of the user or group
 * @param role the granted role
 * @param reason the reason of decisions by this grant
 */
record Grant(String subject, RoleRef role, String reason) {

  /**
   * A reference to a role.
   *
   * @param namespace empty for a cluster role
   */
  record RoleRef(String kind, String namespace, String name) {}

  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

  static String user(String name) {
    return "u:" + name;
  }

  static String group(String name) {
    return "g:" + name;
  }

  /** Returns the grants of {@code binding}, one for each valid subject. */
  static List<Grant> of(ApiObject binding) {
    String namespace = binding.meta().namespace();
    MapNode ref = binding.root().map("roleRef");
    String kind = ref.text("kind");
    RoleRef role = new RoleRef(kind, kind.equals("Role") ? namespace : "", ref.text("name"));
    List<Grant> grants = new ArrayList<>();
    for (Node node : binding.root().items("subjects")) {
      if (node instanceof MapNode subject) {
        String who = who(subject, namespace);
        if (!who.isEmpty()) {
          grants.add(new Grant(who, role, reason(binding, ref, subject)));
        }
      }
    }
    return grants;
  }

  private static String who(MapNode subject, String bindingNamespace) {
    String name = subject.text("name");
    return switch (subject.text("kind")) {
      case "User" -> user(name);
      case "Group" -> group(name);
      case "ServiceAccount" -> {
        String own = subject.text("namespace");
        String namespace = own.isEmpty() ? bindingNamespace : own;
        yield namespace.isEmpty() ? "" : user(SERVICE_ACCOUNT + namespace + ":" + name);
      }
      default -> "";
    };
  }

  private static String reason(ApiObject binding, MapNode ref, MapNode subject) {
    String namespace = binding.meta().namespace();
    String where = namespace.isEmpty() ? "" : "/" + namespace;
    String kind = subject.text("kind");
    String whose =
        kind.equals("ServiceAccount")
            ? subject.text("name")
                + "/"
                + (subject.text("namespace").isEmpty() ? namespace : subject.text("namespace"))
            : subject.text("name");
    return "RBAC: allowed by "
        + (namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding")
        + " \""
        + binding.meta().name()
        + where
        + "\" of "
        + ref.text("kind")
        + " \""
        + ref.text("name")
        + "\" to "
        + kind
        + " \""
        + whose
        + "\"";
  }
}
