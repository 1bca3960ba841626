package dev.keelson.schema.table;

import dev.keelson.api.GroupVersionKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The tables of the built-in kinds, with the columns that kubectl's users know. Made on first use.
 */
public final class Tables {

  /** A time that is not set, as Go prints it. */
  private static final String NEVER = "0001-01-01T00:00:00Z";

  /** Of a kind that has no table of its own (contract, "Table representation"). */
  private static final TableDefinition PLAIN =
      Columns.named()
          .add("Created At", "date", "Time at which the object was created.", 0)
          .of(
              (object, row) ->
                  row.name(object).textOr(object.map("metadata").text("creationTimestamp"), NEVER))
          .reading(TableFields.ofAll());

  /** In these no two kinds share a name that look different in a table. */
  private static final Set<String> GROUPS =
      Set.of(
          "",
          "admissionregistration.k8s.io",
          "access.keelson.dev",
          "apps",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "coordination.k8s.io",
          "discovery.k8s.io",
          "events.k8s.io",
          "extensions",
          "flowcontrol.apiserver.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "scheduling.k8s.io",
          "storage.k8s.io");

  private static final Map<String, TableDefinition> BUILT_IN = builtIn();

  private Tables() {}

  /**
   * The table of a kind as it is stored; objects are printed in that version.
   *
   * @param kind the stored kind, or that of a virtual resource
   */
  public static TableDefinition of(GroupVersionKind kind) {
    return GROUPS.contains(kind.group()) ? of(kind.kind()) : PLAIN;
  }

  static TableDefinition of(String kind) {
    return BUILT_IN.getOrDefault(kind, PLAIN);
  }

  /** The kinds that have a table of their own. */
  static Set<String> kinds() {
    return BUILT_IN.keySet();
  }

  private static Map<String, TableDefinition> builtIn() {
    Map<String, TableDefinition> tables = new HashMap<>();
    WorkloadTables.addTo(tables);
    NetworkTables.addTo(tables);
    StorageTables.addTo(tables);
    ClusterTables.addTo(tables);
    AccessTables.addTo(tables);
    Map<String, List<String>> fields = TableFields.byKind();
    tables.replaceAll(
        (kind, table) ->
            table.reading(
                Objects.requireNonNull(
                    fields.get(kind), () -> kind + " does not name its fields")));
    return Map.copyOf(tables);
  }
}
