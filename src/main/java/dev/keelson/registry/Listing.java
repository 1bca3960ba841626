package dev.keelson.registry;

import dev.keelson.schema.ResourceDefinition;
import java.util.List;

/**
 * A list of objects at one revision.
 *
 * @param definition the version in which it was asked for
 * @param items the objects in the order of their keys
 * @param revision the list's resourceVersion
 */
public record Listing(ResourceDefinition definition, List<StoredObject> items, long revision) {
  public Listing {
    items = List.copyOf(items);
  }
}
