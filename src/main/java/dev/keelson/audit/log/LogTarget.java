package dev.keelson.audit.log;

import java.io.IOException;
import java.util.List;

/** Where lines go. Called by one thread, but for {@link #reopen}. */
public interface LogTarget extends AutoCloseable {

  /**
   * Appends lines, each with a newline; when this returns they survive the end of the process.
   *
   * @throws IOException if not all of them could be written
   */
  void write(List<byte[]> lines) throws IOException;

  /** Makes the next write open the file again; called by any thread. */
  void reopen();

  /** Releases what the target holds; may be called twice. */
  @Override
  void close();
}
