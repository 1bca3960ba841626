package dev.keelson.schema.table;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.table.TableRows.GroupKind;
import java.util.List;
import java.util.Map;
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
                  row.name(object).textOr(object.map("metadata").text("creationTimestamp"), NEVER));

  private static final Map<GroupKind, TableDefinition> BUILT_IN = builtIn();

  private Tables() {}

  /**
   * The table of a kind as it is stored; objects are printed in that version. The version of {@code
   * kind} does not matter.
   *
   * @param kind the stored kind, or that of a virtual resource
   */
  public static TableDefinition of(GroupVersionKind kind) {
    return BUILT_IN.getOrDefault(new GroupKind(kind.group(), kind.kind()), PLAIN);
  }

  /** The kinds that have a table of their own. */
  static Set<GroupKind> kinds() {
    return BUILT_IN.keySet();
  }

  private static Map<GroupKind, TableDefinition> builtIn() {
    TableRows tables = new TableRows();
    WorkloadTables.addTo(tables);
    NetworkTables.addTo(tables);
    StorageTables.addTo(tables);
    ClusterTables.addTo(tables);
    AccessTables.addTo(tables);
    DeviceTables.addTo(tables);
    AuditTables.addTo(tables);
    for (String workload : List.of("DaemonSet", "Deployment", "ReplicaSet")) {
      tables.alias("extensions", workload, "apps");
    }
    tables.alias("extensions", "Ingress", "networking.k8s.io");
    tables.alias("extensions", "Scale", "autoscaling");
    tables.alias("events.k8s.io", "Event", "");
    return tables.all();
  }
}
