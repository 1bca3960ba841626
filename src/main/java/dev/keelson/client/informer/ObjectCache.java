package dev.keelson.client.informer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Objects with indexes. Safe for use by several threads. */
final class ObjectCache<T> {

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ObjectName, T> objects = new HashMap<>();
  private final Map<String, Set<ObjectName>> byNamespace = new HashMap<>();
  private final IdentityHashMap<Index<T>, Map<String, Set<ObjectName>>> byIndex =
      new IdentityHashMap<>();

  ObjectCache(List<Index<T>> indexes) {
    for (Index<T> index : indexes) {
      byIndex.put(index, new HashMap<>());
    }
  }

  /** Stores an object and returns the one before; null if there was none. */
  @Nullable T put(ObjectName name, T object) {
    lock.lock();
    try {
      T before = objects.put(name, object);
      if (before == null) {
        add(byNamespace, name.namespace(), name);
      }
      byIndex.forEach(
          (index, found) -> {
            Set<String> values = Set.copyOf(index.values(object));
            Set<String> old = before == null ? Set.of() : Set.copyOf(index.values(before));
            if (!values.equals(old)) {
              old.forEach(value -> remove(found, value, name));
              values.forEach(value -> add(found, value, name));
            }
          });
      return before;
    } finally {
      lock.unlock();
    }
  }

  /** Removes an object and returns it; null if there was none. */
  @Nullable T remove(ObjectName name) {
    lock.lock();
    try {
      T before = objects.remove(name);
      if (before != null) {
        remove(byNamespace, name.namespace(), name);
        byIndex.forEach(
            (index, found) -> index.values(before).forEach(value -> remove(found, value, name)));
      }
      return before;
    } finally {
      lock.unlock();
    }
  }

  @Nullable T get(ObjectName name) {
    lock.lock();
    try {
      return objects.get(name);
    } finally {
      lock.unlock();
    }
  }

  List<T> all() {
    lock.lock();
    try {
      return new ArrayList<>(objects.values());
    } finally {
      lock.unlock();
    }
  }

  /** Names and objects at this moment. */
  Map<ObjectName, T> copy() {
    lock.lock();
    try {
      return new HashMap<>(objects);
    } finally {
      lock.unlock();
    }
  }

  List<T> inNamespace(String namespace) {
    return found(byNamespace, namespace);
  }

  List<T> by(Index<T> index, String value) {
    Map<String, Set<ObjectName>> entries = byIndex.get(index);
    if (entries == null) {
      throw new IllegalArgumentException("the informer does not have this index");
    }
    return found(entries, value);
  }

  private List<T> found(Map<String, Set<ObjectName>> entries, String value) {
    lock.lock();
    try {
      List<T> result = new ArrayList<>();
      for (ObjectName name : entries.getOrDefault(value, Set.of())) {
        T object = objects.get(name);
        if (object != null) {
          result.add(object);
        }
      }
      return result;
    } finally {
      lock.unlock();
    }
  }

  private static void add(Map<String, Set<ObjectName>> entries, String value, ObjectName name) {
    entries.computeIfAbsent(value, _ -> new HashSet<>(4)).add(name);
  }

  private static void remove(Map<String, Set<ObjectName>> entries, String value, ObjectName name) {
    Set<ObjectName> names = entries.get(value);
    if (names != null && names.remove(name) && names.isEmpty()) {
      entries.remove(value);
    }
  }
}
