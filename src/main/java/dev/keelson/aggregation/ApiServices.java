package dev.keelson.aggregation;

import dev.keelson.api.GroupVersion;
import dev.keelson.schema.GroupPriority;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
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
   * Makes the objects that have been passed visible to requests.
   *
   * @param origins what this server serves
   */
  public void publish(Function<GroupVersion, Origin> origins) {
    Map<GroupVersion, ApiService> remotes = new HashMap<>();
    Map<GroupVersion, GroupPriority> priorities = new HashMap<>();
    Set<GroupVersion> unserved = new HashSet<>();
    Set<String> unmarked = new HashSet<>();
    for (ApiService service : byName.values()) {
      GroupVersion version = service.groupVersion();
      if (service.remote()) {
        remotes.put(version, service);
        continue;
      }
      if (!service.priority().equals(GroupPriority.of(version))) {
        priorities.put(version, service.priority());
      }
      // others go soon
      if (service.managed().isEmpty() && origins.apply(version) == Origin.NOT_SERVED) {
        unserved.add(version);
      }
      if (!service.available()) {
        unmarked.add(service.name());
      }
    }
    // those of custom resources come back
    deleted.removeIf(name -> origins.apply(ApiService.versionOf(name)) != Origin.BUILT_IN);
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
}
