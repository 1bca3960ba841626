package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.apply.ManagedEntry.Id;
import dev.keelson.schema.apply.ManagedEntry.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The managers of an object and their fields: {@code metadata.managedFields}. Owned by the one
 * write that changes it.
 */
public final class Managers {

  /** Maximum number of update managers; above it, the oldest are merged. */
  private static final int MAX_UPDATERS = 10;

  private static final String MERGED = "ancient-changes";

  private final Map<Id, ManagedEntry> entries = new LinkedHashMap<>();

  /** No manager. */
  public static Managers none() {
    return new Managers();
  }

  /** The entries that the server stored. */
  public static Managers stored(List<Node> managedFields) {
    return decode(managedFields, true).orElseGet(Managers::none);
  }

  /**
   * The entries that a client sent, or empty if one of them is malformed: an unknown operation,
   * another fieldsType, no apiVersion, broken paths.
   */
  public static Optional<Managers> sent(List<Node> managedFields) {
    return decode(managedFields, false);
  }

  /** Whether a client resets all managers: one empty entry. */
  public static boolean isReset(@Nullable Node managedFields) {
    return managedFields instanceof Node.Items items
        && (items.values().isEmpty()
            || (items.values().size() == 1
                && items.values().getFirst() instanceof MapNode entry
                && entry.isEmpty()));
  }

  private static Optional<Managers> decode(List<Node> managedFields, boolean canonical) {
    Managers managers = new Managers();
    for (Node node : managedFields) {
      if (!(node instanceof MapNode entry)) {
        return Optional.empty();
      }
      Operation operation = operation(entry.text("operation"));
      String version = entry.text("apiVersion");
      if (operation == null || version.isEmpty() || !entry.text("fieldsType").equals("FieldsV1")) {
        return Optional.empty();
      }
      Node written = entry.get("fieldsV1");
      Optional<FieldSet> fields =
          written == null
              ? Optional.of(FieldSet.EMPTY)
              : canonical && written instanceof MapNode tree
                  ? Optional.of(new FieldSet(tree))
                  : FieldSet.read(written);
      if (fields.isEmpty()) {
        return Optional.empty();
      }
      Id id =
          new Id(
              entry.text("manager"),
              operation,
              operation == Operation.UPDATE ? version : "",
              entry.text("subresource"));
      managers.entries.put(id, new ManagedEntry(id, version, entry.text("time"), fields.get()));
    }
    return Optional.of(managers);
  }

  private static @Nullable Operation operation(String word) {
    return switch (word) {
      case "Apply" -> Operation.APPLY;
      case "Update" -> Operation.UPDATE;
      default -> null;
    };
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** A copy of the entries, to change the managers by. */
  List<ManagedEntry> all() {
    return new ArrayList<>(entries.values());
  }

  @Nullable ManagedEntry get(Id id) {
    return entries.get(id);
  }

  /** Sets an entry; one without fields is removed. */
  void put(ManagedEntry entry) {
    if (entry.fields().isEmpty()) {
      entries.remove(entry.id());
    } else {
      entries.put(entry.id(), entry);
    }
  }

  void remove(Id id) {
    entries.remove(id);
  }

  Managers copy() {
    Managers copy = new Managers();
    copy.entries.putAll(entries);
    return copy;
  }

  /** Takes over what a copy has become. */
  void become(Managers other) {
    entries.clear();
    entries.putAll(other.entries);
  }

  /**
   * Merges those that updated longest ago, version by version, while there are too many (source:
   * Kubernetes' cap of managers).
   */
  void cap() {
    List<ManagedEntry> updaters = new ArrayList<>();
    for (ManagedEntry entry : entries.values()) {
      if (entry.id().operation() == Operation.UPDATE) {
        updaters.add(entry);
      }
    }
    int count = updaters.size();
    if (count <= MAX_UPDATERS) {
      return;
    }
    updaters.sort(
        (a, b) -> {
          int order = a.time().compareTo(b.time());
          return order != 0 ? order : a.id().compareTo(b.id());
        });
    Map<String, ManagedEntry> firstOfVersion = new LinkedHashMap<>();
    Map<Id, Bucket> buckets = new LinkedHashMap<>();
    for (int i = 0; i < updaters.size() && count > MAX_UPDATERS; i++) {
      ManagedEntry entry = updaters.get(i);
      ManagedEntry first = firstOfVersion.putIfAbsent(entry.apiVersion(), entry);
      if (first == null) {
        continue;
      }
      Id id = Id.update(MERGED, entry.apiVersion(), "");
      Bucket bucket = buckets.get(id);
      if (bucket == null) {
        bucket = new Bucket(new ArrayList<>());
        buckets.put(id, bucket);
        ManagedEntry held = entries.get(id);
        if (held == null) {
          entries.remove(first.id());
          held = first;
        }
        bucket.merged.add(held);
      }
      entries.remove(entry.id());
      bucket.merged.add(entry);
      // keeps its place among the entries
      entries.put(id, entry);
      count--;
    }
    buckets.forEach(
        (id, bucket) -> {
          ManagedEntry last = bucket.merged.getLast();
          FieldSet all = FieldSet.union(bucket.merged.stream().map(ManagedEntry::fields).toList());
          entries.put(id, new ManagedEntry(id, last.apiVersion(), last.time(), all));
        });
  }

  /** Entries that become one. */
  private record Bucket(List<ManagedEntry> merged) {}

  /** The entries as the object has them. */
  public Node.Items tree() {
    return new Node.Items(
        entries.values().stream()
            .sorted(ManagedEntry.ORDER)
            .<Node>map(ManagedEntry::tree)
            .toList());
  }
}
