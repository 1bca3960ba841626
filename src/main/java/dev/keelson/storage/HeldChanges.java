package dev.keelson.storage;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A feed without the changes of some keys. A batch of such changes alone becomes progress, so that
 * the reader still learns the revision.
 *
 * @param feed the whole feed
 * @param held the keys that are delivered
 */
record HeldChanges(ChangeFeed feed, Predicate<Bytes> held) implements ChangeFeed {

  @Override
  public @Nullable Batch next(Duration timeout) throws InterruptedException {
    Batch all = feed.next(timeout);
    return all == null
        ? null
        : new Batch(
            all.changes().stream().filter(change -> held.test(change.key())).toList(),
            all.revision(),
            all.unreadable().stream().filter(held).toList());
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
