package dev.keelson.registry.read;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Entry;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The entries that match, as objects; reads one ahead, and decodes only if there are conditions.
 */
final class MatchingObjects implements Iterator<StoredObject> {

  private final ResourceDefinition definition;
  private final Iterator<Entry> entries;
  private final ObjectMatcher matcher;
  private @Nullable StoredObject next;

  MatchingObjects(ResourceDefinition definition, Iterator<Entry> entries, ObjectMatcher matcher) {
    this.definition = definition;
    this.entries = entries;
    this.matcher = matcher;
  }

  @Override
  public boolean hasNext() {
    while (next == null && entries.hasNext()) {
      next = match(entries.next());
    }
    return next != null;
  }

  private @Nullable StoredObject match(Entry entry) {
    ApiObject tree = null;
    if (!matcher.matchesAll()) {
      SelectableObject object = matcher.inspect(entry.value());
      if (!matcher.matches(object)) {
        return null;
      }
      tree = object.treeIfRead();
    }
    return new StoredObject(definition, entry.value(), entry.modRevision(), tree);
  }

  @Override
  public StoredObject next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    StoredObject object = next;
    next = null;
    if (object == null) {
      throw new NoSuchElementException();
    }
    return object;
  }
}
