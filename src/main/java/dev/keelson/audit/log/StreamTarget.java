package dev.keelson.audit.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Lines of a stream that belongs to somebody else: standard out. */
public record StreamTarget(OutputStream stream) implements LogTarget {

  @Override
  public void write(List<byte[]> lines) throws IOException {
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    for (byte[] line : lines) {
      chunk.write(line);
      chunk.write('\n');
    }
    chunk.writeTo(stream);
    stream.flush();
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
