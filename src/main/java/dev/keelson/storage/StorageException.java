package dev.keelson.storage;

import org.jspecify.annotations.Nullable;

/** A failed call of the store. */
public sealed class StorageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private StorageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The requested revision is compacted. */
  public static final class Compacted extends StorageException {
    private static final long serialVersionUID = 1L;
    private final long oldestRevision;

    /**
     * @param oldestRevision the oldest revision that can still be read, or 0 if the store did not
     *     say
     */
    public Compacted(long oldestRevision) {
      super("the required revision has been compacted; the oldest kept is " + oldestRevision, null);
      this.oldestRevision = oldestRevision;
    }

    public long oldestRevision() {
      return oldestRevision;
    }
  }

  /** The requested revision does not exist yet. */
  public static final class FutureRevision extends StorageException {
    private static final long serialVersionUID = 1L;
    private final long currentRevision;

    /**
     * @param currentRevision the store's newest revision, or 0 if the store did not say
     */
    public FutureRevision(long currentRevision) {
      super("the required revision is in the future; the newest is " + currentRevision, null);
      this.currentRevision = currentRevision;
    }

    public long currentRevision() {
      return currentRevision;
    }
  }

  /**
   * The store has lost revisions that it had given out: it was restored from a backup. Everything
   * that was read of it is invalid.
   */
  public static final class RolledBack extends StorageException {
    private static final long serialVersionUID = 1L;

    /**
     * @param known a revision that the store had reached
     * @param revision the store's revision now
     */
    public RolledBack(long known, long revision) {
      super(
          "the store has gone back from revision %d to %d: it was restored from a backup"
              .formatted(known, revision),
          null);
    }
  }

  /**
   * A write was sent and no response came: it may have happened. Read the key again before
   * reporting an outcome.
   */
  public static final class UnknownOutcome extends StorageException {
    private static final long serialVersionUID = 1L;

    public UnknownOutcome(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The store cannot be reached, or did not answer in time; nothing was written. */
  public static final class Unavailable extends StorageException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The value is larger than the store takes; nothing was written. The message has the words of
   * etcd or of its client, which kube-apiserver passes on and clients look for.
   */
  public static final class TooLarge extends StorageException {
    private static final long serialVersionUID = 1L;

    /** What etcd's client sends at most, in bytes; it refuses more without asking etcd. */
    private static final int MOST_SENT = 2 * 1024 * 1024;

    public TooLarge(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    /**
     * The refusal of a key and a value that have more bytes together than the store takes.
     *
     * @param bytes how many they have
     * @param most how many the store takes
     */
    public static TooLarge of(long bytes, long most) {
      String words =
          bytes > MOST_SENT
              ? "rpc error: code = ResourceExhausted desc = trying to send message larger than max ("
                  + bytes
                  + " vs. "
                  + MOST_SENT
                  + ")"
              : "etcdserver: request is too large";
      return new TooLarge(
          words + ": key and value have " + bytes + " bytes, the store takes " + most, null);
    }
  }

  /**
   * The store has no space left, and takes no more writes until there is; nothing was written. The
   * message is etcd's, which kube-apiserver passes on.
   */
  public static final class NoSpace extends StorageException {
    private static final long serialVersionUID = 1L;

    public NoSpace(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * A value could not be encrypted, so that nothing was written, or not be decrypted. The message
   * is kube-apiserver's.
   */
  public static final class Transformation extends StorageException {
    private static final long serialVersionUID = 1L;

    public Transformation(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The store (or the feed) was closed by this process. */
  public static final class Closed extends StorageException {
    private static final long serialVersionUID = 1L;

    public Closed(String message) {
      super(message, null);
    }
  }
}
