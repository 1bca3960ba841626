package dev.keelson.client.informer;

import java.util.Collection;
import java.util.function.Function;

/**
 * Finds the objects of an informer by a value. Compared by identity.
 *
 * @param <T> what the informer keeps
 */
public final class Index<T> {

  private final Function<T, ? extends Collection<String>> values;

  /**
   * An index.
   *
   * @param values the values under which an object is found; the same for equal objects
   */
  public Index(Function<T, ? extends Collection<String>> values) {
    this.values = values;
  }

  Collection<String> values(T object) {
    return values.apply(object);
  }
}
