package dev.keelson.schema;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.Map;
import java.util.function.Function;

/**
 * Finds the schemas of built-in kinds among the messages.
 *
 * @param structs gives the schema of a message by its full name
 * @param byPrefix the stored types that were made
 */
record BuiltInTypes(Function<String, StructSchema> structs, Map<String, StoredType> byPrefix)
    implements ResourceRow.Types {

  /** The suffix of the groups of Keelson's own types. */
  private static final String OWN_GROUPS = ".keelson.dev";

  private static final String API_REGISTRATION = "apiregistration.k8s.io";

  private static final String INTERNAL = "internal.apiserver.k8s.io";

  private static final String API_EXTENSIONS = "apiextensions.k8s.io";

  /**
   * Messages are in a package named after the first label of the group, below a root; {@code
   * internal} would name any.
   */
  @Override
  public StructSchema schema(GroupVersionKind kind) {
    String group = kind.group().isEmpty() ? "core" : kind.group();
    int dot = group.indexOf('.');
    String label =
        group.equals(INTERNAL) ? "apiserverinternal" : dot < 0 ? group : group.substring(0, dot);
    return structs.apply(root(group) + label + "." + kind.version() + "." + kind.kind());
  }

  private static String root(String group) {
    return switch (group) {
      case API_REGISTRATION -> "io.k8s.kube-aggregator.pkg.apis.";
      case API_EXTENSIONS -> "io.k8s.apiextensions-apiserver.pkg.apis.";
      default -> group.endsWith(OWN_GROUPS) ? "dev.keelson." : "io.k8s.api.";
    };
  }

  @Override
  public StoredType stored(String keyPrefix, GroupVersionKind kind) {
    StoredType stored =
        byPrefix.computeIfAbsent(keyPrefix, prefix -> new StoredType(prefix, kind, schema(kind)));
    if (!stored.kind().equals(kind)) {
      throw new IllegalStateException(
          keyPrefix + " is to hold both " + stored.kind() + " and " + kind);
    }
    return stored;
  }
}
