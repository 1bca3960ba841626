package dev.keelson.client.informer;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.rest.ApiClient.Selection;
import java.util.List;

/**
 * What informers of a resource keep, so that all who read the same share one. Compared by identity:
 * a constant.
 *
 * @param <T> what is kept of an object; with indexes, an instance of its own for each object
 */
public final class InformerType<T> {

  private final Selection selection;
  private final Projection<T> projection;
  private final List<Index<T>> indexes;

  /** A type of informers of all objects of a resource. */
  public InformerType(
      GroupVersionResource resource, Projection<T> projection, List<Index<T>> indexes) {
    this(Selection.of(resource), projection, indexes);
  }

  /** A type of informers of some objects of a resource. */
  public InformerType(Selection selection, Projection<T> projection, List<Index<T>> indexes) {
    this.selection = selection;
    this.projection = projection;
    this.indexes = List.copyOf(indexes);
  }

  /** The watched resource. */
  public GroupVersionResource resource() {
    return selection.resource();
  }

  /** The watched objects. */
  public Selection selection() {
    return selection;
  }

  Projection<T> projection() {
    return projection;
  }

  List<Index<T>> indexes() {
    return indexes;
  }
}
