package dev.keelson.storage;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * A store that is filled from a {@link Snapshot}. Nothing of it counts before {@link #complete}: if
 * it is closed earlier, the store is as it was, or says that it holds an incomplete copy. Used by
 * one thread.
 */
public interface SnapshotTarget extends AutoCloseable {

  /**
   * Prepares the store; to be called once, before items are written.
   *
   * @param least the least revision that the store has at the end, so that clients of an older
   *     store never meet a revision that they know with another meaning
   * @param raised called now and then with the revision reached, where raising it takes time; what
   *     it throws ends the copy
   * @throws StorageException.Unavailable if the store cannot be written
   */
  void begin(long least, LongConsumer raised);

  /**
   * Adds items, which follow those before in the order of keys.
   *
   * @return how many were added: those that are in the range of keys of the target
   * @throws StorageException.Unavailable if they cannot be written
   * @throws StorageException.TooLarge if a value is larger than the store takes
   */
  int write(List<Snapshot.Item> items);

  /**
   * Makes the copy durable and valid.
   *
   * @return the store's revision, below which its history is compacted
   * @throws StorageException.Unavailable if that fails; the copy does not count then
   */
  long complete();

  /** Gives up what is not complete; may be called twice. */
  @Override
  void close();
}
