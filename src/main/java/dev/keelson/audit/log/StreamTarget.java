package dev.keelson.audit.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Lines of a stream that belongs to somebody else: standard out. Called by one thread. */
public final class StreamTarget implements LogTarget {

  private final OutputStream stream;

  /** Whether the last write failed, somewhere within a line. */
  private boolean torn;

  public StreamTarget(OutputStream stream) {
    this.stream = stream;
  }

  @Override
  public void write(List<byte[]> lines) throws IOException {
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    if (torn) {
      // what is out cannot be taken back; a file behind it that was full has half a line
      chunk.write('\n');
    }
    for (byte[] line : lines) {
      chunk.write(line);
      chunk.write('\n');
    }
    torn = true;
    chunk.writeTo(stream);
    stream.flush();
    torn = false;
  }

  @Override
  public void reopen() {
    // a stream cannot be opened again
  }

  @Override
  public void close() {
    // the stream is its owner's to close
  }
}
