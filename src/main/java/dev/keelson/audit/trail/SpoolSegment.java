package dev.keelson.audit.trail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * One file of the spool: frames of a length, a checksum and an event. Written at its end and read
 * from its begin. Not safe for use by several threads.
 */
final class SpoolSegment implements AutoCloseable {

  /** Length and checksum. */
  private static final int FRAME = 8;

  /** A longer frame is damage: requests and responses of an event are bounded far below. */
  private static final int LONGEST = 64 << 20;

  private final Path file;
  private final FileChannel channel;
  private long written;
  private long read;

  private SpoolSegment(Path file, FileChannel channel, long written) {
    this.file = file;
    this.channel = channel;
    this.written = written;
  }

  static SpoolSegment create(Path file) throws IOException {
    return new SpoolSegment(
        file,
        FileChannel.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        0);
  }

  static SpoolSegment open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    return new SpoolSegment(file, channel, channel.size());
  }

  /** Bytes of the file. */
  long size() {
    return written;
  }

  /** Where the next read begins. */
  long position() {
    return read;
  }

  boolean isRead() {
    return read >= written;
  }

  /** Appends frames, all or none. */
  void append(List<byte[]> records) throws IOException {
    long size = 0;
    for (byte[] one : records) {
      size += FRAME + one.length;
    }
    ByteBuffer frames = ByteBuffer.allocate(Math.toIntExact(size));
    for (byte[] one : records) {
      frames.putInt(one.length).putInt(checksum(one)).put(one);
    }
    frames.flip();
    long at = written;
    try {
      while (frames.hasRemaining()) {
        at += channel.write(frames, at);
      }
    } catch (IOException e) {
      // a torn frame would end the segment for its reader
      channel.truncate(written);
      throw e;
    }
    written = at;
  }

  /** The bytes that {@link #append} would add. */
  static long sizeOf(List<byte[]> records) {
    return records.stream().mapToLong(one -> FRAME + (long) one.length).sum();
  }

  /**
   * Reads the next record and moves behind it.
   *
   * @return null at the end, or at a frame that is damaged, from which on the segment is lost
   */
  byte @Nullable [] next() throws IOException {
    if (written - read < FRAME) {
      return null;
    }
    ByteBuffer head = ByteBuffer.allocate(FRAME);
    fill(head, read);
    int length = head.getInt();
    int checksum = head.getInt();
    if (length < 0 || length > LONGEST || length > written - read - FRAME) {
      return null;
    }
    ByteBuffer body = ByteBuffer.allocate(length);
    fill(body, read + FRAME);
    if (checksum(body.array()) != checksum) {
      return null;
    }
    read += FRAME + length;
    return body.array();
  }

  private void fill(ByteBuffer buffer, long from) throws IOException {
    long at = from;
    while (buffer.hasRemaining()) {
      int count = channel.read(buffer, at);
      if (count < 0) {
        throw new IOException(file + " ends early");
      }
      at += count;
    }
    buffer.flip();
  }

  /** Moves back to a position of {@link #position}. */
  void rewind(long position) {
    read = position;
  }

  private static int checksum(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  void delete() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
