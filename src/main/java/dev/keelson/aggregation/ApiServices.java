package dev.keelson.aggregation;

import dev.keelson.api.GroupVersion;
import dev.keelson.schema.GroupPriority;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The APIServices of the store. Written by the thread that follows them, read by any: requests read
 * one volatile field, and what they read changes only when a group version becomes remote or local,
 * gets another place in discovery, or is not what its APIService says. The APIServices of group
 * versions that this server serves at their usual place change nothing, however many there are.
 */
public final class ApiServices {

  /**
   * What differs from a server without aggregation. Immutable.
   *
   * @param generation increases with every change; a key for caches of derived data
   * @param remotes the group versions that other servers serve
   * @param priorities the places of local group versions that are not the usual ones
   * @param unserved local group versions that no server serves: users registered them
   * @param unregistered built-in group versions whose APIServices were deleted
   * @param unmarked the names of local APIServices that are not marked as available
   */
  public record Snapshot(
      long generation,
      Map<GroupVersion, ApiService> remotes,
      Map<GroupVersion, GroupPriority> priorities,
      Set<GroupVersion> unserved,
      Set<GroupVersion> unregistered,
      Set<String> unmarked) {

    /** Nothing is remote. */
    public static final Snapshot LOCAL =
        new Snapshot(1, Map.of(), Map.of(), Set.of(), Set.of(), Set.of());

    public Snapshot {
      remotes = Map.copyOf(remotes);
      priorities = Map.copyOf(priorities);
      unserved = Set.copyOf(unserved);
      unregistered = Set.copyOf(unregistered);
      unmarked = Set.copyOf(unmarked);
    }

    /** The place of a group version in the list of groups. */
    public GroupPriority priority(GroupVersion version) {
      GroupPriority changed = priorities.get(version);
      return changed == null ? servedPriority(version) : changed;
    }

    /** The place of a group version in aggregated discovery: that of a local one is fixed. */
    public GroupPriority servedPriority(GroupVersion version) {
      ApiService remote = remotes.get(version);
      return remote == null ? GroupPriority.of(version) : remote.priority();
    }

    private boolean says(Snapshot other) {
      return equals(other.numbered(generation));
    }

    private Snapshot numbered(long number) {
      return new Snapshot(number, remotes, priorities, unserved, unregistered, unmarked);
    }
  }

  /** Whether this server serves a group version. */
  public enum Origin {
    NOT_SERVED,
    BUILT_IN,
    CUSTOM
  }

  private final Map<String, ApiService> byName = new ConcurrentHashMap<>();

  /** The names of those that were deleted. */
  private final Set<String> deleted = new HashSet<>();

  /** What the next snapshot has. */
  private final Map<GroupVersion, ApiService> remotes = new HashMap<>();

  private final Map<GroupVersion, GroupPriority> priorities = new HashMap<>();
  private final Set<GroupVersion> unserved = new HashSet<>();
  private final Set<String> unmarked = new HashSet<>();

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Snapshot snapshot = Snapshot.LOCAL;

  /** What is known now. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /** The APIService of this name, null if there is none. */
  public @Nullable ApiService find(String name) {
    return byName.get(name);
  }

  /** All of them; may change while it is read. */
  public Collection<ApiService> all() {
    return byName.values();
  }

  /** Adds a listener that runs after each new snapshot, on the thread that publishes it. */
  public void listen(Runnable changed) {
    listeners.add(changed);
  }

  /** Forgets all of them: they follow again. */
  public void clear() {
    deleted.addAll(byName.keySet());
    byName.clear();
  }

  /** One was added or changed. */
  public void put(ApiService service) {
    byName.put(service.name(), service);
    deleted.remove(service.name());
  }

  /** One was deleted. */
  public void remove(String name) {
    if (byName.remove(name) != null) {
      deleted.add(name);
    }
  }

  /**
   * Makes the objects that have been passed visible to requests. Looks at all of them.
   *
   * @param origins what this server serves
   */
  public void publish(Function<GroupVersion, Origin> origins) {
    Set<String> all = new HashSet<>(byName.keySet());
    all.addAll(deleted);
    all.addAll(unmarked);
    Stream.of(remotes.keySet(), priorities.keySet(), unserved)
        .flatMap(Set::stream)
        .forEach(version -> all.add(ApiService.nameOf(version)));
    publish(origins, all);
  }

  /**
   * The same, at the cost of what has changed.
   *
   * @param names those of the APIServices that have changed since the last call, and of the group
   *     versions of which {@code origins} tells something else
   */
  public void publish(Function<GroupVersion, Origin> origins, Collection<String> names) {
    boolean differs = false;
    for (String name : names) {
      differs |= place(name, origins.apply(ApiService.versionOf(name)));
    }
    if (!differs) {
      return;
    }
    Set<GroupVersion> unregistered = new HashSet<>();
    deleted.forEach(name -> unregistered.add(ApiService.versionOf(name)));
    Snapshot before = snapshot;
    Snapshot after =
        new Snapshot(before.generation + 1, remotes, priorities, unserved, unregistered, unmarked);
    if (!before.says(after)) {
      snapshot = after;
      listeners.forEach(Runnable::run);
    }
  }

  /** Puts one where it belongs; whether that has changed. */
  private boolean place(String name, Origin origin) {
    GroupVersion version = ApiService.versionOf(name);
    ApiService service = byName.get(name);
    ApiService local = service == null || service.remote() ? null : service;
    boolean moved = local != null && !local.priority().equals(GroupPriority.of(version));
    boolean idle = local != null && local.managed().isEmpty() && origin == Origin.NOT_SERVED;
    boolean differs = put(remotes, version, local == null ? service : null);
    differs |= put(priorities, version, local != null && moved ? local.priority() : null);
    // others that are not served go soon
    differs |= set(unserved, version, idle);
    differs |= set(unmarked, name, local != null && !local.available());
    // those of custom resources come back
    boolean forgotten = origin != Origin.BUILT_IN && deleted.remove(name);
    boolean unregistered = deleted.contains(name);
    return differs || forgotten || unregistered != snapshot.unregistered().contains(version);
  }

  private static <K, V> boolean put(Map<K, V> map, K key, @Nullable V value) {
    V before = value == null ? map.remove(key) : map.put(key, value);
    return !Objects.equals(before, value);
  }

  private static <T> boolean set(Set<T> set, T element, boolean contained) {
    return contained ? set.add(element) : set.remove(element);
  }
}
