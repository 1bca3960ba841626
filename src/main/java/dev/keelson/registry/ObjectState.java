package dev.keelson.registry;

import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import java.util.Iterator;

/** The objects of a type as of one revision. */
interface ObjectState {

  /** The revision that it shows. */
  long revision();

  /** The objects of {@code range} in the order of their keys; may block on the store as it goes. */
  Iterator<Entry> iterator(KeyRange range);

  /** Whether the objects are in memory, so that reading them does not block. */
  boolean inMemory();

  /** How many objects {@code range} has. */
  long count(KeyRange range);
}
