package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResetFields.FieldFilter;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.apply.ManagedEntry.Id;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Updates the managers of an object by writes in one version of its kind (source: KEP-555,
 * structured-merge-diff's Updater and Kubernetes' field managers around it). Trees have no {@code
 * managedFields}; managers are changed in place.
 *
 * <p>An update takes the fields that it changes from their managers. An apply owns exactly the
 * fields of its configuration: it conflicts where it would change a field of another manager, and
 * fields of its previous configuration that are now absent are removed unless another manager owns
 * them too.
 */
public final class Ownership {

  /** Fields that are not owned: the server sets them, or every object has them. */
  private static final FieldSet NEVER_OWNED =
      FieldSet.read(
              MapNode.builder(3)
                  .put("f:apiVersion", MapNode.EMPTY)
                  .put("f:kind", MapNode.EMPTY)
                  .put(
                      "f:metadata",
                      fields(
                          ".",
                          "f:clusterName",
                          "f:creationTimestamp",
                          "f:generation",
                          "f:managedFields",
                          "f:name",
                          "f:namespace",
                          "f:resourceVersion",
                          "f:selfLink",
                          "f:uid"))
                  .build())
          .orElseThrow();

  private final Versions versions;
  private final String version;
  private final SchemaNode schema;
  private final FieldFilter filter;

  /**
   * The rules for one write.
   *
   * @param version the apiVersion of the request
   * @param schema the shape of the kind in it
   * @param filter the fields that the request can change
   */
  public Ownership(Versions versions, String version, SchemaNode schema, FieldFilter filter) {
    this.versions = versions;
    this.version = version;
    this.schema = schema;
    this.filter = filter;
  }

  /** The outcome of an apply. */
  public sealed interface Outcome {}

  /**
   * It was made.
   *
   * @param object the object as it should be
   * @param changed whether that differs from what it was
   */
  public record Applied(MapNode object, boolean changed) implements Outcome {}

  /** The apply would change fields of other managers; nothing was changed. */
  public record Conflicted(List<Conflict> conflicts) implements Outcome {
    public Conflicted {
      conflicts = List.copyOf(conflicts);
    }
  }

  /** A field that another manager owns. */
  public record Conflict(Id owner, List<String> elements) {
    public Conflict {
      elements = List.copyOf(elements);
    }

    /** Whether the field is a member of {@code set}. */
    public boolean isIn(FieldSet set) {
      return set.has(elements.toArray(String[]::new));
    }

    /** The path as messages show it: {@code .spec.containers[name="web"].image}. */
    public String path() {
      StringBuilder path = new StringBuilder();
      elements.forEach(element -> path.append(PathElement.shown(element)));
      return path.toString();
    }

    /** The owner as messages name it: {@code "kubectl-edit" using apps/v1}. */
    public String manager() {
      return owner.shown();
    }
  }

  /**
   * Records an update.
   *
   * @param manager the manager of the update
   * @param now the time for its entry, RFC 3339
   */
  public void update(Managers managers, MapNode live, MapNode next, Id manager, String now) {
    Comparison own = Comparison.of(schema, live, next);
    if (own.isEmpty()) {
      managers.cap();
      return;
    }
    reconcile(managers);
    Comparison made = own.filtered(filter);
    take(managers, live, next, made, null);
    FieldSet set = made.set().minus(NEVER_OWNED);
    if (!set.isEmpty()) {
      ManagedEntry before = managers.get(manager);
      managers.put(
          new ManagedEntry(
              manager, version, now, before == null ? set : before.fields().union(set)));
    }
    managers.cap();
  }

  /**
   * Applies a configuration to an object.
   *
   * @param applied the configuration, which is valid for the schema
   * @param force whether to take fields from other managers
   */
  public Outcome apply(
      Managers managers, MapNode live, MapNode applied, Id manager, boolean force, String now) {
    MapNode merged = Merge.of(schema, live, applied);
    FieldSet said = Extraction.of(schema, applied).filtered(filter);
    Managers trial = managers.copy();
    reconcile(trial);
    ManagedEntry last = trial.get(manager);
    trial.remove(manager);
    // it owns its configuration while its previous fields are removed
    List<ManagedEntry> owners = trial.all();
    owners.add(new ManagedEntry(manager, version, now, said));
    MapNode next = last == null || saysAllOf(last, said) ? merged : pruned(merged, owners, last);
    boolean changed = !next.equals(live);
    Comparison made = Comparison.of(schema, live, next).filtered(filter);
    List<Conflict> conflicts = force ? List.of() : conflicts(trial, live, next, made);
    if (!conflicts.isEmpty()) {
      return new Conflicted(conflicts);
    }
    take(trial, live, next, made, manager);
    String time = changed ? now : last == null ? "" : last.time();
    trial.put(new ManagedEntry(manager, version, time, said.minus(NEVER_OWNED)));
    managers.become(trial);
    return new Applied(next, changed);
  }

  /** The fields that a configuration of this version sets and the live object has as well. */
  public FieldSet unchangedSince(MapNode lastApplied, MapNode live) {
    Comparison since = Comparison.of(schema, lastApplied, live);
    return Extraction.of(schema, lastApplied)
        .minus(since.modified())
        .minus(since.added())
        .minus(since.removed());
  }

  /** Brings the sets in line with schemas that have changed since they were written. */
  private void reconcile(Managers managers) {
    for (ManagedEntry entry : managers.all()) {
      SchemaNode shape = versions.schema(entry.apiVersion());
      if (shape != null) {
        FieldSet fields = entry.fields().reconciled(shape);
        if (fields != entry.fields()) {
          managers.put(entry.with(fields));
        }
      }
    }
  }

  /** Removes changed and removed fields from every manager but one. */
  private void take(
      Managers managers, MapNode live, MapNode next, Comparison own, @Nullable Id except) {
    Map<String, Comparison> byVersion = new HashMap<>();
    byVersion.put(version, own);
    for (ManagedEntry entry : managers.all()) {
      if (entry.id().equals(except)) {
        continue;
      }
      Comparison made = in(entry.apiVersion(), byVersion, live, next);
      if (made == null) {
        // its fields are unknown in this version
        managers.remove(entry.id());
        continue;
      }
      FieldSet left =
          entry.fields().minus(made.modified()).minus(made.added()).minus(made.removed());
      if (left.tree() != entry.fields().tree()) {
        managers.put(entry.with(left));
      }
    }
  }

  private List<Conflict> conflicts(Managers managers, MapNode live, MapNode next, Comparison own) {
    Map<String, Comparison> byVersion = new HashMap<>();
    byVersion.put(version, own);
    Map<String, FieldSet> sets = new HashMap<>();
    Map<Id, FieldSet> found = new TreeMap<>();
    for (ManagedEntry entry : managers.all()) {
      Comparison made = in(entry.apiVersion(), byVersion, live, next);
      if (made != null) {
        FieldSet set = sets.computeIfAbsent(entry.apiVersion(), _ -> made.set());
        found.put(entry.id(), entry.fields().intersection(set));
      }
    }
    List<Conflict> conflicts = new ArrayList<>();
    found.forEach((id, set) -> set.forEach(path -> conflicts.add(new Conflict(id, path))));
    return conflicts;
  }

  private @Nullable Comparison in(
      String wanted, Map<String, Comparison> byVersion, MapNode live, MapNode next) {
    Comparison known = byVersion.get(wanted);
    SchemaNode shape = versions.schema(wanted);
    if (known != null || shape == null) {
      return known;
    }
    Comparison made =
        Comparison.of(
                shape,
                versions.convert(live, version, wanted),
                versions.convert(next, version, wanted))
            .filtered(filter);
    byVersion.put(wanted, made);
    return made;
  }

  /** Whether the configuration contains all fields of the previous one, so that none is removed. */
  private boolean saysAllOf(ManagedEntry last, FieldSet said) {
    return last.apiVersion().equals(version) && last.fields().minus(said).isEmpty();
  }

  /** The object without the fields of the manager's last apply that have no owner now. */
  private MapNode pruned(MapNode merged, List<ManagedEntry> owners, ManagedEntry last) {
    String then = last.apiVersion();
    SchemaNode shape = versions.schema(then);
    if (shape == null || last.fields().isEmpty()) {
      return merged;
    }
    MapNode whole = converted(merged, version, then);
    FieldSet said = last.fields().withNamedFields(shape);
    MapNode bare = Removal.of(shape, whole, said);
    Map<String, List<FieldSet>> sets = new TreeMap<>();
    owners.forEach(
        entry ->
            sets.computeIfAbsent(entry.apiVersion(), _ -> new ArrayList<>()).add(entry.fields()));
    Map<String, FieldSet> owned = new TreeMap<>();
    sets.forEach((each, fields) -> owned.put(each, FieldSet.union(fields)));
    // first in the version of the entry: a conversion may need its fields
    FieldSet here = owned.remove(then);
    bare = addBack(shape, whole, bare, here == null ? FieldSet.EMPTY : here);
    for (Map.Entry<String, FieldSet> other : owned.entrySet()) {
      SchemaNode otherShape = versions.schema(other.getKey());
      if (otherShape != null) {
        bare =
            converted(
                addBack(
                    otherShape,
                    converted(whole, then, other.getKey()),
                    converted(bare, then, other.getKey()),
                    other.getValue()),
                other.getKey(),
                then);
      }
    }
    FieldSet gone =
        Extraction.of(shape, whole)
            .withNamedFields(shape)
            .minus(Extraction.of(shape, bare).withNamedFields(shape))
            .intersection(said);
    return gone.isEmpty() ? merged : converted(Removal.of(shape, whole, gone), then, version);
  }

  /** The smaller object with those parts of the whole one that are owned. */
  private static MapNode addBack(SchemaNode shape, MapNode whole, MapNode bare, FieldSet owned) {
    FieldSet kept =
        Extraction.of(shape, bare).withNamedFields(shape).union(owned.withNamedFields(shape));
    return Removal.of(shape, whole, Extraction.of(shape, whole).withNamedFields(shape).minus(kept));
  }

  private MapNode converted(MapNode object, String from, String to) {
    return from.equals(to) ? object : versions.convert(object, from, to);
  }

  private static Node fields(String... elements) {
    MapNode.Builder set = MapNode.builder(elements.length);
    for (String element : elements) {
      set.put(element, MapNode.EMPTY);
    }
    return set.build();
  }
}
