package dev.keelson.storage.sqlite;

import dev.keelson.storage.StorageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A database file that this process alone may write, from {@link #of} to {@link #close}. The lock
 * is on a file beside it ({@code .lock}), which stays: deleted, it would let two processes have a
 * lock each.
 */
final class FileClaim implements AutoCloseable {

  /**
   * The files that this process has claimed. The system gives a process's lock up as soon as the
   * process closes any descriptor of the lock file, so that a second claim must not even open it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private FileClaim(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Claims a file, which need not exist.
   *
   * @throws StorageException.Unavailable if another process, or this one, has claimed it
   * @throws IOException if its directory does not exist, or the lock file cannot be made
   */
  static FileClaim of(Path file) throws IOException {
    Path path = real(file.toAbsolutePath());
    if (!HELD.add(path)) {
      throw new StorageException.Unavailable(
          "this process has opened the store %s already".formatted(file), null);
    }
    boolean held = false;
    try {
      FileClaim claim = new FileClaim(path, lock(path));
      held = true;
      return claim;
    } finally {
      if (!held) {
        HELD.remove(path);
      }
    }
  }

  /** The file without links, so that it is known again under another name. */
  private static Path real(Path file) throws IOException {
    Path parent = file.getParent();
    if (parent == null) {
      throw new IOException("not a file");
    }
    return Files.exists(file) ? file.toRealPath() : parent.toRealPath().resolve(file.getFileName());
  }

  private static FileChannel lock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path.resolveSibling(path.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw new StorageException.Unavailable("another process has opened the store " + path, null);
    }
    return channel;
  }

  /** The file without links. */
  Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new StorageException.Unavailable("cannot give up the lock of " + path, e);
    } finally {
      HELD.remove(path);
    }
  }
}
