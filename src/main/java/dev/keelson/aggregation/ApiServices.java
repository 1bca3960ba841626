package dev.keelson.aggregation;

import dev.keelson.api.GroupVersion;
import dev.keelson.schema.GroupPriority;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The APIServices of the store. Written by the thread that follows them, read by any: requests read
 * one volatile field, and what they read changes only when a group version becomes remote or local,
 * or gets another place in discovery. The APIServices of group versions that this server serves at
 * their usual place change nothing, however many there are.
 */
public final class ApiServices {

  /**
   * What differs from a server without aggregation. Immutable.
   *
   * @param generation increases with every change; a key for caches of derived data
   * @param remotes the group versions that other servers serve
   * @param priorities the places of local group versions that are not the usual ones
   */
  public record Snapshot(
      long generation,
      Map<GroupVersion, ApiService> remotes,
      Map<GroupVersion, GroupPriority> priorities) {

    /** Nothing is remote. */
    public static final Snapshot LOCAL = new Snapshot(1, Map.of(), Map.of());

    public Snapshot {
      remotes = Map.copyOf(remotes);
      priorities = Map.copyOf(priorities);
    }

    /** The place of a group version in discovery. */
    public GroupPriority priority(GroupVersion version) {
      ApiService remote = remotes.get(version);
      return remote != null
          ? remote.priority()
          : priorities.getOrDefault(version, GroupPriority.of(version));
    }
  }

  private final Map<String, ApiService> byName = new ConcurrentHashMap<>();
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
    byName.clear();
  }

  /** One was added or changed. */
  public void put(ApiService service) {
    byName.put(service.name(), service);
  }

  /** One was deleted. */
  public void remove(String name) {
    byName.remove(name);
  }

  /** Makes the objects that have been passed visible to requests. */
  public void publish() {
    Map<GroupVersion, ApiService> remotes = new HashMap<>();
    Map<GroupVersion, GroupPriority> priorities = new HashMap<>();
    for (ApiService service : byName.values()) {
      if (service.remote()) {
        remotes.put(service.groupVersion(), service);
      } else if (!service.priority().equals(GroupPriority.of(service.groupVersion()))) {
        priorities.put(service.groupVersion(), service.priority());
      }
    }
    Snapshot before = snapshot;
    if (!before.remotes.equals(remotes) || !before.priorities.equals(priorities)) {
      snapshot = new Snapshot(before.generation + 1, remotes, priorities);
      listeners.forEach(Runnable::run);
    }
  }
}
