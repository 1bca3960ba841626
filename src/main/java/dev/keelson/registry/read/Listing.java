package dev.keelson.registry.read;

import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of objects at one revision, or a chunk of one.
 *
 * @param definition the requested version
 * @param items the objects in the order of their keys; can be walked through once, and may read
 *     from the store as it goes
 * @param revision the list's resourceVersion
 * @param token the continue token of the next chunk, or empty if this is the last
 * @param remaining the number of objects after this chunk, or null if unknown
 */
public record Listing(
    ResourceDefinition definition,
    Iterator<StoredObject> items,
    long revision,
    String token,
    @Nullable Long remaining) {

  /** A whole list. */
  static Listing whole(ResourceDefinition definition, Iterator<StoredObject> items, long revision) {
    return new Listing(definition, items, revision, "", null);
  }

  /** Reads all objects into memory; consumes the iterator. */
  public List<StoredObject> all() {
    List<StoredObject> all = new java.util.ArrayList<>();
    items.forEachRemaining(all::add);
    return all;
  }
}
