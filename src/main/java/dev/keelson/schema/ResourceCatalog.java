package dev.keelson.schema;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The served resources. Types can be added and removed at run time: readers use one immutable
 * {@link Snapshot}; {@link #replaceAll} publishes the next one. Safe for use by several threads.
 */
public final class ResourceCatalog {

  /** The catalog at one moment. Immutable. */
  public static final class Snapshot {
    private final long generation;
    private final Map<GroupVersionResource, ResourceDefinition> byResource = new LinkedHashMap<>();
    private final Map<GroupVersionKind, ResourceDefinition> byKind = new HashMap<>();
    private final Map<GroupVersion, List<ResourceDefinition>> byVersion = new LinkedHashMap<>();

    private Snapshot(long generation, Collection<ResourceDefinition> definitions) {
      this.generation = generation;
      for (ResourceDefinition definition : definitions) {
        if (byResource.put(definition.gvr(), definition) != null) {
          throw new IllegalStateException(definition.gvr() + " is defined twice");
        }
        byKind.putIfAbsent(definition.gvk(), definition);
        byVersion
            .computeIfAbsent(GroupVersion.of(definition.gvr()), version -> new ArrayList<>())
            .add(definition);
      }
    }

    /** Increases with every change of the catalog; a key for caches of derived data. */
    public long generation() {
      return generation;
    }

    public Optional<ResourceDefinition> find(GroupVersionResource resource) {
      return Optional.ofNullable(byResource.get(resource));
    }

    public Optional<ResourceDefinition> find(GroupVersionKind kind) {
      return Optional.ofNullable(byKind.get(kind));
    }

    /**
     * Group versions in the order of their definition: the preferred version of a group comes
     * first.
     */
    public Collection<GroupVersion> groupVersions() {
      return byVersion.keySet();
    }

    /**
     * The resources of a group version in the order of their definition; empty if it is not served.
     */
    public List<ResourceDefinition> resources(GroupVersion groupVersion) {
      return byVersion.getOrDefault(groupVersion, List.of());
    }

    public Collection<ResourceDefinition> all() {
      return byResource.values();
    }
  }

  /** Receives changes of the catalog. */
  @FunctionalInterface
  public interface Listener {

    /**
     * The catalog has been replaced. Called in the order of the changes, on the thread that makes
     * them; must not block.
     */
    void changed(Snapshot before, Snapshot after);
  }

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile Snapshot snapshot;
  private volatile Runnable source = () -> {};

  /** A catalog that serves {@code definitions}. */
  public ResourceCatalog(Collection<ResourceDefinition> definitions) {
    snapshot = new Snapshot(1, definitions);
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

  /** Serves {@code definitions} from now on, and nothing else. */
  public synchronized void replaceAll(Collection<ResourceDefinition> definitions) {
    Snapshot before = snapshot;
    Snapshot after = new Snapshot(before.generation + 1, definitions);
    snapshot = after;
    listeners.forEach(listener -> listener.changed(before, after));
  }

  /** Adds a listener, which receives every change after this call returns. */
  public synchronized void onChange(Listener listener) {
    listeners.add(listener);
  }
}
