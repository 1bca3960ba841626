package dev.keelson.registry.read;

import dev.keelson.api.GroupResource;

/** Records how many objects lists read and return. Called on the thread of a list; must be fast. */
public interface ListMetrics {

  /** Records nothing. */
  ListMetrics NONE = (resource, source, fetched, returned) -> {};

  /** Where the objects of a list come from. */
  enum Source {
    /** The cache, all objects of a range. */
    CACHE,
    /** An index of the cache by a label. */
    LABEL_INDEX,
    /** An index of the cache by a field. */
    FIELD_INDEX,
    /** The store. */
    STORE
  }

  /**
   * Records a list, or one chunk of it.
   *
   * @param fetched how many objects were read
   * @param returned how many of them matched
   */
  void listed(GroupResource resource, Source source, long fetched, long returned);
}
