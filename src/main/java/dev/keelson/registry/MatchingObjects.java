package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Entry;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The entries that match, as objects; looks one ahead and decodes only if there are conditions. */
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
      Entry entry = entries.next();
      ApiObject tree = matcher.matchesAll() ? null : matcher.decode(entry.value());
      if (tree == null || matcher.matches(tree)) {
        next = new StoredObject(definition, entry.value(), entry.modRevision(), tree);
      }
    }
    return next != null;
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
