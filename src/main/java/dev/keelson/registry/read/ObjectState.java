package dev.keelson.registry.read;

import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.watch.IndexValue;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The objects of a type as of one revision. */
interface ObjectState {

  /** The revision of the state. */
  long revision();

  /** The objects of {@code range} in the order of their keys; may block on the store as it goes. */
  Iterator<Entry> iterator(KeyRange range);

  /**
   * The objects of {@code range} that have an index value, in the order of their keys; may include
   * others.
   */
  default Iterator<Entry> iterator(@Nullable IndexValue indexValue, KeyRange range) {
    return iterator(range);
  }

  /** Where {@link #iterator(IndexValue, KeyRange)} finds objects. */
  default ListMetrics.Source source(@Nullable IndexValue indexValue) {
    return ListMetrics.Source.STORE;
  }

  /** Whether the objects are in memory, so that reading them does not block. */
  boolean inMemory();

  /** How many objects {@code range} has. */
  long count(KeyRange range);
}
