package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A feed with plain values. A change whose value, or the value before it, cannot be decrypted is
 * left out and its key is reported, so that one damaged value does not stop the changes of all
 * other types.
 */
final class EncryptedFeed implements ChangeFeed {

  private final ChangeFeed feed;
  private final UnaryOperator<Entry> plain;

  /**
   * A feed of what {@code feed} delivers.
   *
   * @param plain decrypts an entry; throws {@link TransformationException}
   */
  EncryptedFeed(ChangeFeed feed, UnaryOperator<Entry> plain) {
    this.feed = feed;
    this.plain = plain;
  }

  @Override
  public @Nullable Batch next(Duration timeout) throws InterruptedException {
    Batch batch = feed.next(timeout);
    if (batch == null || batch.changes().isEmpty()) {
      return batch;
    }
    List<Change> changes = new ArrayList<>(batch.changes().size());
    List<Bytes> unreadable = new ArrayList<>();
    for (Change change : batch.changes()) {
      try {
        changes.add(plain(change));
      } catch (TransformationException _) {
        unreadable.add(change.key());
      }
    }
    return new Batch(changes, batch.revision(), unreadable);
  }

  private Change plain(Change change) {
    Entry previous = change.previous();
    Entry before = previous == null ? null : plain.apply(previous);
    return switch (change) {
      case Change.Put put -> new Change.Put(plain.apply(put.entry()), before);
      case Change.Delete delete -> new Change.Delete(delete.key(), delete.revision(), before);
    };
  }

  @Override
  public void requestProgress() {
    feed.requestProgress();
  }

  @Override
  public void close() {
    feed.close();
  }
}
