package dev.keelson.registry.read;

import dev.keelson.registry.StoredObject;
import dev.keelson.watch.CacheEvent;
import org.jspecify.annotations.Nullable;

/**
 * A change as a watcher sees it.
 *
 * @param type what happened, from the watcher's point of view: an object that comes to match is
 *     added, one that ceases to match is deleted
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
