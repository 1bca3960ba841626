package dev.keelson.client.informer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects with indexes. Safe for use by several threads, of which one at a time may call {@link
 * #put}, {@link #remove}, {@link #names} and {@link #forEach}.
 */
final class ObjectCache<T> {

  private final ReentrantLock lock = new ReentrantLock();

  /** By namespace and name, which takes no key object for each of them. */
  private final Map<String, Map<String, T>> objects = new HashMap<>();

  private final IdentityHashMap<Index<T>, IndexTable<T>> indexes = new IdentityHashMap<>();

  ObjectCache(List<Index<T>> indexes) {
    for (Index<T> index : indexes) {
      this.indexes.put(index, new IndexTable<>(index));
    }
  }

  /** Stores an object and returns the one before; null if there was none. */
  @Nullable T put(ObjectName name, T object) {
    lock.lock();
    try {
      T before =
          objects.computeIfAbsent(name.namespace(), _ -> new HashMap<>(4)).put(name.name(), object);
      indexes.values().forEach(index -> index.replace(before, object));
      return before;
    } finally {
      lock.unlock();
    }
  }

  /** Removes an object and returns it; null if there was none. */
  @Nullable T remove(ObjectName name) {
    lock.lock();
    try {
      Map<String, T> others = objects.get(name.namespace());
      T before = others == null ? null : others.remove(name.name());
      if (others != null && others.isEmpty()) {
        objects.remove(name.namespace());
      }
      if (before != null) {
        indexes.values().forEach(index -> index.replace(before, null));
      }
      return before;
    } finally {
      lock.unlock();
    }
  }

  @Nullable T get(ObjectName name) {
    lock.lock();
    try {
      Map<String, T> others = objects.get(name.namespace());
      return others == null ? null : others.get(name.name());
    } finally {
      lock.unlock();
    }
  }

  List<T> all() {
    lock.lock();
    try {
      return objects.values().stream().map(Map::values).flatMap(Collection::stream).toList();
    } finally {
      lock.unlock();
    }
  }

  /** The names of all objects. */
  Set<ObjectName> names() {
    Set<ObjectName> names = new HashSet<>();
    forEach((name, object) -> names.add(name));
    return names;
  }

  /** Calls the action, without the lock, which readers may wait for while they hold others. */
  void forEach(BiConsumer<ObjectName, T> action) {
    objects.forEach(
        (namespace, named) ->
            named.forEach(
                (name, object) -> action.accept(new ObjectName(namespace, name), object)));
  }

  List<T> inNamespace(String namespace) {
    lock.lock();
    try {
      return new ArrayList<>(objects.getOrDefault(namespace, Map.of()).values());
    } finally {
      lock.unlock();
    }
  }

  List<T> by(Index<T> index, String value) {
    lock.lock();
    try {
      IndexTable<T> table = indexes.get(index);
      if (table == null) {
        throw new IllegalArgumentException("the informer does not have this index");
      }
      return table.get(value);
    } finally {
      lock.unlock();
    }
  }
}
