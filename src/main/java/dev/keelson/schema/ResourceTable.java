package dev.keelson.schema;

import static dev.keelson.schema.Scope.CLUSTER;
import static dev.keelson.schema.Scope.NAMESPACED;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.Verb;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Rows of resources, each in the group version that was set before. Confined to one thread. */
abstract class ResourceTable {

  /** Every verb of an object that is stored. */
  private static final Set<Verb> STORED_VERBS =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Verb.CONNECT)));

  private final List<ResourceRow> rows = new ArrayList<>();
  private GroupVersion version;

  ResourceTable(GroupVersion version) {
    this.version = version;
  }

  /** The group version of the rows that follow. */
  final void version(GroupVersion next) {
    version = next;
  }

  final GroupVersion version() {
    return version;
  }

  final List<ResourceDefinition> definitions(Function<String, StructSchema> structs) {
    BuiltInTypes types = new BuiltInTypes(structs, new HashMap<>());
    return rows.stream().map(row -> row.definition(types)).toList();
  }

  final ResourceRow namespaced(String plural, String kind) {
    return row(NAMESPACED, plural, kind, STORED_VERBS);
  }

  final ResourceRow cluster(String plural, String kind) {
    return row(CLUSTER, plural, kind, STORED_VERBS);
  }

  final ResourceRow virtual(Scope scope, String plural, String kind, Verb... verbs) {
    return row(scope, plural, kind, EnumSet.copyOf(List.of(verbs))).virtual();
  }

  final ResourceRow row(Scope scope, String plural, String kind, Set<Verb> verbs) {
    ResourceRow row = new ResourceRow(version, plural, kind, scope, verbs);
    rows.add(row);
    return row;
  }

  static Set<Verb> without(Verb verb) {
    Set<Verb> verbs = EnumSet.copyOf(STORED_VERBS);
    verbs.remove(verb);
    return verbs;
  }
}
