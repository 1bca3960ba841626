package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Comparator;

/**
 * The fields of one manager: one entry of {@code metadata.managedFields}.
 *
 * @param id the manager
 * @param apiVersion the version in which the fields are named
 * @param time when the set last changed, RFC 3339 in whole seconds; empty if that is not known
 * @param fields the fields
 */
public record ManagedEntry(Id id, String apiVersion, String time, FieldSet fields) {

  /** The order of the entries in an object; times in one format and zone compare as text. */
  static final Comparator<ManagedEntry> ORDER =
      Comparator.comparing((ManagedEntry entry) -> entry.id().operation().word())
          .thenComparing(ManagedEntry::time)
          .thenComparing(entry -> entry.id().manager())
          .thenComparing(ManagedEntry::apiVersion)
          .thenComparing(entry -> entry.id().subresource());

  /** How a manager acquired its fields. */
  public enum Operation {
    APPLY("Apply"),
    UPDATE("Update");

    private final String word;

    Operation(String word) {
      this.word = word;
    }

    /** The word in the entry. */
    public String word() {
      return word;
    }
  }

  /**
   * The identity of a manager. An apply has one entry for all versions, updates have one for each
   * version.
   *
   * @param version the apiVersion for updates, empty for apply
   */
  public record Id(String manager, Operation operation, String version, String subresource)
      implements Comparable<Id> {

    private static final Comparator<Id> ORDER =
        Comparator.comparing(Id::manager)
            .thenComparing(id -> id.operation().word())
            .thenComparing(Id::version)
            .thenComparing(Id::subresource);

    /** The manager of updates in a version, through a subresource or the object itself. */
    public static Id update(String manager, String apiVersion, String subresource) {
      return new Id(manager, Operation.UPDATE, apiVersion, subresource);
    }

    /** The manager of an apply. */
    public static Id apply(String manager, String subresource) {
      return new Id(manager, Operation.APPLY, "", subresource);
    }

    @Override
    public int compareTo(Id other) {
      return ORDER.compare(this, other);
    }

    /** The manager as messages name it. */
    String shown() {
      StringBuilder text = new StringBuilder();
      FlatJson.quote(manager, text);
      if (!subresource.isEmpty()) {
        FlatJson.quote(subresource, text.append(" with subresource "));
      }
      if (operation == Operation.UPDATE) {
        text.append(" using ").append(version);
      }
      return text.toString();
    }
  }

  ManagedEntry with(FieldSet other) {
    return new ManagedEntry(id, apiVersion, time, other);
  }

  /** The entry as the object has it. */
  MapNode tree() {
    MapNode.Builder tree = MapNode.builder(7);
    if (!id.manager().isEmpty()) {
      tree.put("manager", Node.text(id.manager()));
    }
    tree.put("operation", Node.text(id.operation().word()));
    tree.put("apiVersion", Node.text(apiVersion));
    if (!time.isEmpty()) {
      tree.put("time", Node.text(time));
    }
    tree.put("fieldsType", Node.text("FieldsV1"));
    tree.put("fieldsV1", fields.tree());
    if (!id.subresource().isEmpty()) {
      tree.put("subresource", Node.text(id.subresource()));
    }
    return tree.build();
  }
}
