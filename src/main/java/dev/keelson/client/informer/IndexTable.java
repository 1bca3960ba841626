package dev.keelson.client.informer;

import dev.keelson.value.Uid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a cache by the values of an index. Most values have one object, which is then
 * stored without a set. Confined to the lock of its cache.
 *
 * @param <T> what the informer keeps; each object has an instance of its own
 */
final class IndexTable<T> {

  /** Several objects with one value, compared by identity. */
  private static final class Several<T> {
    private final Set<T> objects = Collections.newSetFromMap(new IdentityHashMap<>(4));
  }

  private final Index<T> index;

  /**
   * A {@link Several}, or the one object of a value. Most values are uids; as such they take less.
   */
  private final Map<Uid, Object> found = new HashMap<>();

  IndexTable(Index<T> index) {
    this.index = index;
  }

  /** The objects with a value, in no order. */
  List<T> get(String value) {
    Object entry = found.get(Uid.of(value));
    if (entry == null) {
      return List.of();
    }
    if (entry instanceof Several<?> several) {
      return new ArrayList<>(IndexTable.<T>cast(several).objects);
    }
    return List.of(only(entry));
  }

  /**
   * Replaces an object.
   *
   * @param before null if it is new
   * @param after null if it goes
   */
  void replace(@Nullable T before, @Nullable T after) {
    if (before != null) {
      index.values(before).forEach(value -> remove(Uid.of(value), before));
    }
    if (after != null) {
      index.values(after).forEach(value -> add(Uid.of(value), after));
    }
  }

  private void add(Uid value, T object) {
    Object entry = found.get(value);
    if (entry == null) {
      found.put(value, object);
    } else if (entry instanceof Several<?> several) {
      IndexTable.<T>cast(several).objects.add(object);
    } else if (entry != object) {
      Several<T> several = new Several<>();
      several.objects.add(only(entry));
      several.objects.add(object);
      found.put(value, several);
    }
  }

  private void remove(Uid value, T object) {
    Object entry = found.get(value);
    if (entry == object) {
      found.remove(value);
    } else if (entry instanceof Several<?> known) {
      Several<T> several = cast(known);
      several.objects.remove(object);
      if (several.objects.isEmpty()) {
        found.remove(value);
      }
    }
  }

  // entries have nothing but this class's T
  @SuppressWarnings("unchecked")
  private static <T> Several<T> cast(Several<?> several) {
    return (Several<T>) several;
  }

  @SuppressWarnings("unchecked")
  private T only(Object entry) {
    return (T) entry;
  }
}
