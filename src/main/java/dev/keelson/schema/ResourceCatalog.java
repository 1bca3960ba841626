package dev.keelson.schema;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.KubeAwareVersionOrder;
import dev.keelson.collection.PersistentMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The served resources. Types can be added and removed at run time: readers use one immutable
 * {@link Snapshot}; {@link #update} publishes the next one. A change costs what it changes, however
 * many resources there are, and listeners are told just that: what they derive from the catalog is
 * to be kept in step in the same way. Safe for use by several threads.
 */
public final class ResourceCatalog {

  /**
   * What differs between two snapshots of the catalog. A resource that is defined otherwise than
   * before is in both lists.
   *
   * @param removed definitions that are no longer served
   * @param added definitions that were not served before
   */
  public record Change(List<ResourceDefinition> removed, List<ResourceDefinition> added) {
    public Change {
      removed = List.copyOf(removed);
      added = List.copyOf(added);
    }

    /** Whether nothing differs. */
    public boolean isEmpty() {
      return removed.isEmpty() && added.isEmpty();
    }

    /** The group versions whose resources differ. */
    public Set<GroupVersion> versions() {
      Set<GroupVersion> versions = new LinkedHashSet<>();
      removed.forEach(row -> versions.add(GroupVersion.of(row.gvr())));
      added.forEach(row -> versions.add(GroupVersion.of(row.gvr())));
      return versions;
    }
  }

  /** The catalog at one moment. Immutable. */
  public static final class Snapshot {
    private final long generation;
    private final long versionsGeneration;
    private final Index index;
    private final LongAdder passes;
    private volatile @Nullable List<GroupVersion> versions;
    private volatile @Nullable List<ResourceDefinition> all;

    private Snapshot(long generation, long versionsGeneration, Index index, LongAdder passes) {
      this.generation = generation;
      this.versionsGeneration = versionsGeneration;
      this.index = index;
      this.passes = passes;
    }

    /** Increases with every change of the catalog; a key for caches of derived data. */
    public long generation() {
      return generation;
    }

    /** Increases when a group version comes or goes, or becomes a built-in or a custom one. */
    public long versionsGeneration() {
      return versionsGeneration;
    }

    /**
     * Whether requests may use a resource. One that is not served is there for the parts of the
     * server that use its type: {@code find} and {@link #storedUnder} have it, and no list does.
     */
    public boolean serves(ResourceDefinition definition) {
      return !index.hidden().contains(definition.gvr());
    }

    public Optional<ResourceDefinition> find(GroupVersionResource resource) {
      return Optional.ofNullable(index.byResource().get(resource));
    }

    /** The first resource whose objects are of this kind. */
    public Optional<ResourceDefinition> find(GroupVersionKind kind) {
      List<ResourceDefinition> rows = index.byKind().get(kind);
      return rows == null ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /** A resource in all versions in which it is served, the preferred one first. */
    public List<ResourceDefinition> find(GroupResource resource) {
      List<ResourceDefinition> found = new ArrayList<>();
      for (GroupVersion version : versions(resource.group())) {
        find(version.resource(resource.resource())).ifPresent(found::add);
      }
      return found;
    }

    /** The resources whose objects are stored under a key prefix, see {@link StoredType}. */
    public List<ResourceDefinition> storedUnder(String keyPrefix) {
      return index.byPrefix().getOrDefault(keyPrefix, List.of());
    }

    /**
     * Group versions in the order of their definition: the preferred version of a group comes
     * first. Costs time in proportion to their number.
     */
    public Collection<GroupVersion> groupVersions() {
      List<GroupVersion> known = versions;
      if (known == null) {
        passes.increment();
        known = new ArrayList<>(index.builtInVersions());
        known.addAll(index.customVersions());
        known = List.copyOf(known);
        versions = known;
      }
      return known;
    }

    /** The versions of a group, the preferred one first; empty if it is not served. */
    public List<GroupVersion> versions(String group) {
      return index.byGroup().getOrDefault(group, List.of());
    }

    /**
     * The resources of a group version in the order of their definition; empty if it is not served.
     * The same list as long as they are the same.
     */
    public List<ResourceDefinition> resources(GroupVersion groupVersion) {
      return index.byVersion().getOrDefault(groupVersion, List.of());
    }

    /** The resources that are there without any definition. */
    public List<ResourceDefinition> builtIn() {
      return index.builtIn();
    }

    /**
     * All resources: the built-in ones, then those of definitions in the order of their groups.
     * Costs time in proportion to their number.
     */
    public Collection<ResourceDefinition> all() {
      List<ResourceDefinition> known = all;
      if (known == null) {
        passes.increment();
        known = new ArrayList<>(index.byResource().size());
        for (GroupVersion version : groupVersions()) {
          for (ResourceDefinition row : resources(version)) {
            if (Index.isCustom(row)) {
              known.add(row);
            }
          }
        }
        // no work unless a definition is in a built-in group version
        known.sort(CustomResourceRows.ORDER);
        known.addAll(0, index.builtIn());
        known = List.copyOf(known);
        all = known;
      }
      return known;
    }
  }

  /** Receives changes of the catalog. */
  @FunctionalInterface
  public interface Listener {

    /**
     * The catalog has changed. Called in the order of the changes, on the thread that makes them;
     * must not block, nor cost more than {@code change} asks for.
     */
    void changed(Snapshot before, Snapshot after, Change change);
  }

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final LongAdder passes = new LongAdder();
  private volatile Snapshot snapshot;
  private volatile Runnable source = () -> {};

  /** A catalog that serves {@code definitions}. */
  public ResourceCatalog(Collection<ResourceDefinition> definitions) {
    this(definitions, definition -> true);
  }

  /**
   * A catalog that serves some of {@code definitions}.
   *
   * @param served whether requests may use a built-in resource
   */
  public ResourceCatalog(
      Collection<ResourceDefinition> definitions, Predicate<ResourceDefinition> served) {
    snapshot = new Snapshot(1, 1, Index.of(definitions, served), passes);
  }

  /** The catalog as it is now. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /**
   * The catalog with every change that this process has stored before the call. Usually as cheap as
   * {@link #snapshot()}; may block until the feed of the changes has them.
   */
  public Snapshot current() {
    source.run();
    return snapshot;
  }

  /**
   * Sets what {@link #current} runs.
   *
   * @param catchUp applies pending changes to this catalog
   */
  public void followedBy(Runnable catchUp) {
    source = catchUp;
  }

  /**
   * Replaces resources of definitions; does nothing if the change is empty.
   *
   * @throws IllegalStateException if one would be defined twice, or is removed and not there
   */
  public synchronized void update(Change change) {
    if (!change.isEmpty()) {
      publish(snapshot.index.with(change), change);
    }
  }

  /** Serves {@code definitions} from now on, and nothing else. Looks through all of them. */
  public synchronized void replaceAll(Collection<ResourceDefinition> definitions) {
    Index before = snapshot.index;
    Map<GroupVersionResource, ResourceDefinition> next =
        definitions.stream()
            .collect(Collectors.toMap(ResourceDefinition::gvr, Function.identity(), (a, b) -> b));
    List<ResourceDefinition> removed =
        snapshot.all().stream().filter(row -> next.get(row.gvr()) != row).toList();
    List<ResourceDefinition> added =
        definitions.stream().filter(row -> before.byResource().get(row.gvr()) != row).toList();
    Set<GroupVersionResource> hidden = before.hidden();
    publish(Index.of(definitions, row -> !hidden.contains(row.gvr())), new Change(removed, added));
  }

  private void publish(Index index, Change change) {
    Snapshot before = snapshot;
    long generation = before.generation + 1;
    boolean sameVersions =
        change.versions().stream()
            .allMatch(
                version -> Objects.equals(origin(before.index, version), origin(index, version)));
    Snapshot after =
        new Snapshot(
            generation, sameVersions ? before.versionsGeneration : generation, index, passes);
    snapshot = after;
    listeners.forEach(listener -> listener.changed(before, after, change));
  }

  /** Whether a group version is a custom one; null if it is not served. */
  private static @Nullable Boolean origin(Index index, GroupVersion version) {
    List<ResourceDefinition> rows = index.byVersion().get(version);
    return rows == null ? null : Index.isCustom(rows.getFirst());
  }

  /**
   * How many times all resources or all group versions of a snapshot have been gone through: work
   * that grows with their number, which no change of a definition may cause.
   */
  public long passes() {
    return passes.sum();
  }

  /** Adds a listener, which receives every change after this call returns. */
  public synchronized void onChange(Listener listener) {
    listeners.add(listener);
  }

  /**
   * The resources by all names under which they are looked up. An edit costs the resources that it
   * adds and removes, however many there are: of the lists of a group or version that it touches,
   * the references are copied. Immutable.
   *
   * <p>Built-in resources come first, in the order in which they were given; those of definitions
   * follow by {@link CustomResourceRows#ORDER}, and only they are edited.
   *
   * @param builtIn the built-in resources that are served
   * @param hidden the built-in resources that are not served
   * @param builtInVersions their group versions
   * @param customVersions the other group versions
   * @param byKind the resources whose objects are of a kind
   * @param byVersion the resources of a group version
   * @param byGroup the versions of a group
   * @param byPrefix the resources whose objects are stored under a key prefix
   */
  private record Index(
      List<ResourceDefinition> builtIn,
      Set<GroupVersionResource> hidden,
      Set<GroupVersion> builtInVersions,
      List<GroupVersion> customVersions,
      PersistentMap<GroupVersionResource, ResourceDefinition> byResource,
      PersistentMap<GroupVersionKind, List<ResourceDefinition>> byKind,
      PersistentMap<GroupVersion, List<ResourceDefinition>> byVersion,
      PersistentMap<String, List<GroupVersion>> byGroup,
      PersistentMap<String, List<ResourceDefinition>> byPrefix) {

    /** A name under which resources are looked up; null for one that has none. */
    @FunctionalInterface
    private interface Key<K> {
      @Nullable K of(ResourceDefinition row);
    }

    /** Built-in ones before the others, which come in their order. */
    private static final Comparator<ResourceDefinition> ORDER =
        Comparator.comparing(Index::isCustom)
            .thenComparing(
                (one, other) -> isCustom(one) ? CustomResourceRows.ORDER.compare(one, other) : 0);

    private static final Comparator<GroupVersion> VERSION_ORDER =
        Comparator.comparing(GroupVersion::group)
            .thenComparing(GroupVersion::version, KubeAwareVersionOrder.PREFERRED_FIRST);

    /**
     * The index of some resources.
     *
     * @throws IllegalStateException if one is defined twice
     */
    static Index of(Collection<ResourceDefinition> rows, Predicate<ResourceDefinition> served) {
      List<ResourceDefinition> known = rows.stream().filter(row -> !isCustom(row)).toList();
      List<ResourceDefinition> builtIn = known.stream().filter(served).toList();
      Set<GroupVersion> versions = new LinkedHashSet<>();
      builtIn.forEach(row -> versions.add(GroupVersion.of(row.gvr())));
      Map<String, List<GroupVersion>> groups = new LinkedHashMap<>();
      versions.forEach(
          version ->
              groups.computeIfAbsent(version.group(), group -> new ArrayList<>()).add(version));
      PersistentMap<String, List<GroupVersion>> byGroup = PersistentMap.empty();
      for (Map.Entry<String, List<GroupVersion>> group : groups.entrySet()) {
        byGroup = byGroup.with(group.getKey(), List.copyOf(group.getValue()));
      }
      Change all = new Change(List.of(), known);
      Index fixed =
          new Index(
              builtIn,
              known.stream()
                  .filter(served.negate())
                  .map(ResourceDefinition::gvr)
                  .collect(Collectors.toUnmodifiableSet()),
              versions,
              List.of(),
              resources(PersistentMap.empty(), all),
              edited(PersistentMap.empty(), ResourceDefinition::gvk, all),
              edited(PersistentMap.empty(), Index::version, new Change(List.of(), builtIn)),
              byGroup,
              edited(PersistentMap.empty(), Index::prefix, all));
      List<ResourceDefinition> custom = rows.stream().filter(Index::isCustom).toList();
      return fixed.with(new Change(List.of(), custom));
    }

    static boolean isCustom(ResourceDefinition row) {
      return row.custom() != null;
    }

    private static GroupVersion version(ResourceDefinition row) {
      return GroupVersion.of(row.gvr());
    }

    private static @Nullable String prefix(ResourceDefinition row) {
      return row.storage() == null ? null : row.storage().keyPrefix();
    }

    /**
     * The index after a change of resources of definitions.
     *
     * @throws IllegalStateException if one would be defined twice, or is removed and not there
     */
    Index with(Change change) {
      PersistentMap<GroupVersion, List<ResourceDefinition>> versions =
          edited(byVersion, Index::version, change);
      List<GroupVersion> ordered = customVersions;
      PersistentMap<String, List<GroupVersion>> groups = byGroup;
      for (GroupVersion version : change.versions()) {
        boolean was = byVersion.get(version) != null;
        boolean is = versions.get(version) != null;
        if (was != is) {
          ordered = is ? inserted(ordered, version) : without(ordered, version);
          List<GroupVersion> known = groups.getOrDefault(version.group(), List.of());
          List<GroupVersion> next = is ? inserted(known, version) : without(known, version);
          groups =
              next.isEmpty() ? groups.without(version.group()) : groups.with(version.group(), next);
        }
      }
      return new Index(
          builtIn,
          hidden,
          builtInVersions,
          ordered,
          resources(byResource, change),
          edited(byKind, ResourceDefinition::gvk, change),
          versions,
          groups,
          edited(byPrefix, Index::prefix, change));
    }

    private static PersistentMap<GroupVersionResource, ResourceDefinition> resources(
        PersistentMap<GroupVersionResource, ResourceDefinition> before, Change change) {
      PersistentMap<GroupVersionResource, ResourceDefinition> next = before;
      for (ResourceDefinition row : change.removed()) {
        if (next.get(row.gvr()) != row) {
          throw new IllegalStateException(row.gvr() + " is not defined so");
        }
        next = next.without(row.gvr());
      }
      for (ResourceDefinition row : change.added()) {
        if (next.get(row.gvr()) != null) {
          throw new IllegalStateException(row.gvr() + " is defined twice");
        }
        next = next.with(row.gvr(), row);
      }
      return next;
    }

    private static <K> PersistentMap<K, List<ResourceDefinition>> edited(
        PersistentMap<K, List<ResourceDefinition>> before, Key<K> key, Change change) {
      Map<K, List<ResourceDefinition>> edited = new LinkedHashMap<>();
      Function<K, List<ResourceDefinition>> copy =
          name -> new ArrayList<>(before.getOrDefault(name, List.of()));
      for (ResourceDefinition row : change.removed()) {
        @Nullable K name = key.of(row);
        if (name != null) {
          List<ResourceDefinition> rows = edited.computeIfAbsent(name, copy);
          ResourceDefinition unused = rows.remove(place(rows, row, ORDER) - 1);
        }
      }
      for (ResourceDefinition row : change.added()) {
        @Nullable K name = key.of(row);
        if (name != null) {
          List<ResourceDefinition> rows = edited.computeIfAbsent(name, copy);
          rows.add(place(rows, row, ORDER), row);
        }
      }
      PersistentMap<K, List<ResourceDefinition>> next = before;
      for (Map.Entry<K, List<ResourceDefinition>> each : edited.entrySet()) {
        next =
            each.getValue().isEmpty()
                ? next.without(each.getKey())
                : next.with(each.getKey(), List.copyOf(each.getValue()));
      }
      return next;
    }

    /** The place behind everything in {@code sorted} that is not greater. */
    private static <T> int place(List<T> sorted, T element, Comparator<T> order) {
      int from = 0;
      int to = sorted.size();
      while (from < to) {
        int middle = (from + to) >>> 1;
        if (order.compare(element, sorted.get(middle)) < 0) {
          to = middle;
        } else {
          from = middle + 1;
        }
      }
      return from;
    }

    private List<GroupVersion> inserted(List<GroupVersion> sorted, GroupVersion version) {
      List<GroupVersion> next = new ArrayList<>(sorted);
      Comparator<GroupVersion> builtInFirst =
          Comparator.comparing((GroupVersion each) -> !builtInVersions.contains(each));
      next.add(place(next, version, builtInFirst.thenComparing(VERSION_ORDER)), version);
      return List.copyOf(next);
    }

    private static List<GroupVersion> without(List<GroupVersion> versions, GroupVersion version) {
      List<GroupVersion> next = new ArrayList<>(versions);
      boolean unused = next.remove(version);
      return List.copyOf(next);
    }
  }
}
