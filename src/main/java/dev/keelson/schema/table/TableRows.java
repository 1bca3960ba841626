package dev.keelson.schema.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Collects the tables of kinds, by group and kind as they are stored. */
final class TableRows {

  /** A kind in all its versions. */
  record GroupKind(String group, String kind) {}

  private final Map<GroupKind, TableDefinition> tables = new HashMap<>();

  /** Adds the table of a kind, which must name the fields that it reads. */
  void put(String group, String kind, TableDefinition table) {
    if (tables.put(new GroupKind(group, kind), table) != null) {
      throw new IllegalStateException(group + "/" + kind + " has two tables");
    }
  }

  /** Gives a kind that is served under another group as well the table of its stored form. */
  void alias(String group, String kind, String storedGroup) {
    TableDefinition table = tables.get(new GroupKind(storedGroup, kind));
    put(group, kind, Objects.requireNonNull(table, () -> storedGroup + "/" + kind));
  }

  /** What was added. */
  Map<GroupKind, TableDefinition> all() {
    return Map.copyOf(tables);
  }
}
