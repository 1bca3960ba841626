package dev.keelson.client.informer;

import dev.keelson.api.GroupVersionResource;
import java.util.List;

/**
 * What informers of a resource keep, so that all who read the same share one. Compared by identity:
 * a constant.
 *
 * @param <T> what is kept of an object
 */
public final class InformerType<T> {

  private final GroupVersionResource resource;
  private final Projection<T> projection;
  private final List<Index<T>> indexes;

  /** A type of informers of all objects of a resource. */
  public InformerType(
      GroupVersionResource resource, Projection<T> projection, List<Index<T>> indexes) {
    this.resource = resource;
    this.projection = projection;
    this.indexes = List.copyOf(indexes);
  }

  /** The watched resource. */
  public GroupVersionResource resource() {
    return resource;
  }

  Projection<T> projection() {
    return projection;
  }

  List<Index<T>> indexes() {
    return indexes;
  }
}
