package dev.keelson.schema.table;

import dev.keelson.schema.jsonpath.JsonPath;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The fields that the cells of custom resources are made from. */
final class TableFields {

  private static final String NAME = "metadata.name";

  /** Where served objects differ from stored ones. */
  private static final Set<String> NOT_AS_STORED =
      Set.of("apiVersion", "metadata", "metadata.resourceVersion");

  private TableFields() {}

  /**
   * What the paths and the name of the object need, in the notation of {@link
   * TableDefinition#fields}; empty if that is not in the stored value, or may be all of it.
   */
  static List<String> of(List<JsonPath> paths) {
    Set<String> needed = new TreeSet<>(Set.of(NAME));
    for (JsonPath path : paths) {
      String field = String.join(".", expressible(path.fields()));
      if (field.isEmpty() || NOT_AS_STORED.contains(field)) {
        return List.of();
      }
      needed.add(field);
    }
    // what is below another needed field is read with it
    return needed.stream()
        .filter(field -> needed.stream().noneMatch(other -> field.startsWith(other + ".")))
        .toList();
  }

  /** The names up to the first one that the notation cannot express. */
  private static List<String> expressible(List<String> names) {
    int count = 0;
    while (count < names.size() && isPlain(names.get(count))) {
      count++;
    }
    return names.subList(0, count);
  }

  private static boolean isPlain(String name) {
    return !name.isEmpty() && name.indexOf('.') < 0 && !name.equals("#");
  }
}
