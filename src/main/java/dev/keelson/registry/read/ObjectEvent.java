package dev.keelson.registry.read;

import dev.keelson.registry.StoredObject;
import dev.keelson.watch.CacheEvent;
import org.jspecify.annotations.Nullable;

/**
 * An event of a watch.
 *
 * @param type the type for the watcher: an object that begins to match the selection is added, one
 *     that no longer matches is deleted
 * @param object the object after the change; for a deletion as it was last, with the revision of
 *     the change
 * @param source the change, with which encoded forms can be shared among watchers; null for the
 *     objects that a watch begins with
 */
public record ObjectEvent(Type type, StoredObject object, @Nullable CacheEvent source) {

  /** What happened. */
  public enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }
}
