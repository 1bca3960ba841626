package dev.keelson.registry.read;

import dev.keelson.object.ApiObject;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Entries whose objects a webhook converts, some of them ahead: one call for many objects, and the
 * memory of one call for a list of any length.
 */
final class ConvertedEntries implements Iterator<Entry> {

  private final Iterator<Entry> entries;
  private final ObjectMatcher matcher;
  private final int most;
  private final Queue<Ahead> ahead = new ArrayDeque<>();
  private @Nullable ApiObject converted;

  private record Ahead(Entry entry, @Nullable ApiObject converted) {}

  /**
   * Entries of a state.
   *
   * @param wanted about how many are read; 0 for all
   */
  ConvertedEntries(Iterator<Entry> entries, ObjectMatcher matcher, long wanted) {
    this.entries = entries;
    this.matcher = matcher;
    this.most =
        (int) Math.min(ObjectMatcher.MAX_OBJECTS, wanted == 0 ? Long.MAX_VALUE : wanted + 1);
  }

  @Override
  public boolean hasNext() {
    return !ahead.isEmpty() || entries.hasNext();
  }

  @Override
  public Entry next() {
    if (ahead.isEmpty()) {
      read();
    }
    Ahead next = ahead.remove();
    converted = next.converted;
    return next.entry;
  }

  /** The object of the entry that was returned last; null if it needed no webhook. */
  @Nullable ApiObject converted() {
    return converted;
  }

  private void read() {
    List<Entry> batch = new ArrayList<>();
    List<Bytes> values = new ArrayList<>();
    int bytes = 0;
    while (entries.hasNext() && batch.size() < most && bytes < ObjectMatcher.MAX_BYTES) {
      Entry entry = entries.next();
      batch.add(entry);
      if (matcher.needsWebhook(entry.value())) {
        values.add(entry.value());
        bytes += entry.value().length();
      } else if (values.isEmpty()) {
        // nothing waits for a call: no need to read ahead
        break;
      }
    }
    Iterator<ApiObject> trees =
        values.isEmpty() ? List.<ApiObject>of().iterator() : matcher.decode(values).iterator();
    for (Entry entry : batch) {
      boolean called = matcher.needsWebhook(entry.value());
      ahead.add(new Ahead(entry, called ? Objects.requireNonNull(trees.next()) : null));
    }
  }
}
