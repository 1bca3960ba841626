package dev.keelson.testing;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A store that injects faults and otherwise delegates. Safe for use by several threads while no
 * faults are planned.
 */
public final class FaultyStore extends ForwardingStore {

  /** The fault of a write. */
  public enum Fault {
    /** The write is applied, but the outcome is unknown. */
    LOSE_ANSWER,
    /** The write is not applied, and the outcome is unknown. */
    LOSE_REQUEST,
    /** The store is unavailable. */
    REFUSE
  }

  private record Plan(@Nullable Fault fault, Runnable meanwhile) {}

  private final Deque<Plan> writes = new ArrayDeque<>();
  private int failingReads;
  private boolean feedsHeld;

  public FaultyStore(RevisionedStore store) {
    super(store);
  }

  /** Plans the fault of the next write. */
  public synchronized void nextWrite(Fault fault) {
    nextWrite(fault, () -> {});
  }

  /**
   * Plans the fault of the next write, with an action of other clients before its client reads
   * again.
   */
  public synchronized void nextWrite(Fault fault, Runnable meanwhile) {
    writes.add(new Plan(fault, meanwhile));
  }

  /** Plans an action of other clients just before the next write. */
  public synchronized void beforeNextWrite(Runnable others) {
    writes.add(new Plan(null, others));
  }

  /** Makes the next {@code count} reads of single keys fail. */
  public synchronized void failReads(int count) {
    failingReads = count;
  }

  /** Blocks the feeds, as if changes were delayed. */
  public synchronized void holdFeeds() {
    feedsHeld = true;
  }

  /** Unblocks the feeds. */
  public synchronized void releaseFeeds() {
    feedsHeld = false;
    notifyAll();
  }

  private synchronized void awaitRelease() throws InterruptedException {
    while (feedsHeld) {
      wait();
    }
  }

  @Override
  public ChangeFeed feed(KeyRange range, long afterRevision) {
    ChangeFeed feed = super.feed(range, afterRevision);
    return new ChangeFeed() {
      @Override
      public @Nullable Batch next(Duration timeout) throws InterruptedException {
        Batch batch = feed.next(timeout);
        awaitRelease();
        return batch;
      }

      @Override
      public void close() {
        feed.close();
      }
    };
  }

  @Override
  public WriteOutcome write(Write write) {
    Plan plan;
    synchronized (this) {
      plan = writes.poll();
    }
    if (plan == null) {
      return super.write(write);
    }
    if (plan.fault == null) {
      plan.meanwhile.run();
      return super.write(write);
    }
    switch (plan.fault) {
      case REFUSE -> throw new StorageException.Unavailable("planned: refused", null);
      case LOSE_ANSWER -> {
        WriteOutcome unheard = super.write(write);
        if (!(unheard instanceof WriteOutcome.Applied)) {
          throw new IllegalStateException("the write was to take effect: " + unheard);
        }
      }
      case LOSE_REQUEST -> {
        // the write does not reach the store
      }
    }
    plan.meanwhile.run();
    throw new StorageException.UnknownOutcome("planned: " + plan.fault, null);
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    synchronized (this) {
      if (failingReads > 0) {
        failingReads--;
        throw new StorageException.Unavailable("planned: read refused", null);
      }
    }
    return super.get(key, atRevision);
  }
}
