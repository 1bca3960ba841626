package dev.keelson.registry.read;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.work.Turn;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The entries that match, as objects; reads one ahead, and decodes only if there are conditions.
 */
final class MatchingObjects implements Iterator<StoredObject> {

  /** Bytes whose search costs about as much as an element of other work. */
  private static final int ELEMENT = 512;

  private final ResourceDefinition definition;
  private final Iterator<Entry> entries;
  private final @Nullable ConvertedEntries converted;
  private final ObjectMatcher matcher;
  private @Nullable StoredObject next;
  private Bytes nextKey = Bytes.EMPTY;
  private Bytes lastKey = Bytes.EMPTY;
  private long fetched;
  private long matched;
  private boolean counted;
  private final Counts counts;

  /** Takes the numbers of objects that were read and that matched. */
  @FunctionalInterface
  interface Counts {
    void listed(long fetched, long returned);
  }

  MatchingObjects(ResourceDefinition definition, Iterator<Entry> entries, ObjectMatcher matcher) {
    this(definition, entries, matcher, 0, (fetched, returned) -> {});
  }

  /**
   * Matching objects.
   *
   * @param wanted about how many will be taken; 0 for all
   * @param counts is told once: at the end, or by {@link #counted}
   */
  MatchingObjects(
      ResourceDefinition definition,
      Iterator<Entry> entries,
      ObjectMatcher matcher,
      long wanted,
      Counts counts) {
    this.counts = counts;
    this.definition = definition;
    this.converted =
        matcher.mayNeedWebhook() ? new ConvertedEntries(entries, matcher, wanted) : null;
    this.entries = converted == null ? entries : converted;
    this.matcher = matcher;
  }

  @Override
  public boolean hasNext() {
    while (next == null && entries.hasNext()) {
      Entry entry = entries.next();
      fetched++;
      Turn.pass(1 + entry.value().length() / ELEMENT);
      next = match(entry);
      nextKey = entry.key();
    }
    if (next == null) {
      counted();
    }
    return next != null;
  }

  /**
   * Whether there are entries that have not been returned, be it that they do not match. Reads no
   * further than the next one, however few match.
   */
  boolean more() {
    return next != null || entries.hasNext();
  }

  /** Nothing more is taken. */
  void counted() {
    if (!counted) {
      counted = true;
      counts.listed(fetched, matched);
    }
  }

  /** The key of the object that was returned last. */
  Bytes lastKey() {
    return lastKey;
  }

  private @Nullable StoredObject match(Entry entry) {
    ApiObject tree = converted == null ? null : converted.converted();
    if (!matcher.matchesAll()) {
      SelectableObject object = matcher.inspect(entry.value(), tree);
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
    lastKey = nextKey;
    matched++;
    if (object == null) {
      throw new NoSuchElementException();
    }
    return object;
  }
}
