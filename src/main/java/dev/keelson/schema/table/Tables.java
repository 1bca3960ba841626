package dev.keelson.schema.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The tables of the built-in kinds, with the columns that kubectl's users know. Made on first use.
 */
public final class Tables {

  /** Of a kind that has no table of its own (contract, "Table representation"). */
  private static final TableDefinition PLAIN =
      Columns.named()
          .add("Created At", "date", "Time at which the object was created.", 0)
          .of(
              (object, row) ->
                  row.name(object).text(object.map("metadata").text("creationTimestamp")));

  private static final Map<String, TableDefinition> BUILT_IN = builtIn();

  private Tables() {}

  /**
   * The table of a built-in kind, whose objects have the shape in which they are stored.
   *
   * @param kind as stored, for example {@code Deployment}; no two built-in kinds share a name that
   *     look different in a table
   */
  public static TableDefinition of(String kind) {
    return BUILT_IN.getOrDefault(kind, PLAIN);
  }

  /** The table that says no more than name and age. */
  public static TableDefinition plain() {
    return PLAIN;
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
    return Map.copyOf(tables);
  }
}
