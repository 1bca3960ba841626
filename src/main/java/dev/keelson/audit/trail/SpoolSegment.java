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
 * One file of the spool: frames of a mark, a length, a checksum and an event. Written at its end
 * and read from its begin; what is damaged is skipped to the next mark of a whole frame. Not safe
 * for use by several threads.
 */
final class SpoolSegment implements AutoCloseable {

  /** Mark, length and checksum. */
  private static final int FRAME = 12;

  /** Begins a frame. Is nowhere in an event, whose texts are UTF-8. */
  private static final int MARK = 0xfffefdfc;

  /** So much of a damaged file is searched for marks at a time; bytes. */
  private static final int WINDOW = 64 << 10;

  /** A longer frame is damage: requests and responses of an event are bounded far below. */
  private static final int LONGEST = 64 << 20;

  private final Path file;
  private final FileChannel channel;
  private long written;
  private long read;
  private int damaged;

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
      frames.putInt(MARK).putInt(one.length).putInt(checksum(one)).put(one);
    }
    frames.flip();
    long at = written;
    try {
      while (frames.hasRemaining()) {
        at += channel.write(frames, at);
      }
    } catch (IOException e) {
      cutOff(e);
      throw e;
    }
    written = at;
  }

  /** Gives the room of a torn frame back; the next one is written in its place anyway. */
  private void cutOff(IOException why) {
    try {
      channel.truncate(written);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  /** The bytes that {@link #append} would add. */
  static long sizeOf(List<byte[]> records) {
    return records.stream().mapToLong(one -> FRAME + (long) one.length).sum();
  }

  /**
   * Reads the next whole record and moves behind it.
   *
   * @return null at the end
   */
  byte @Nullable [] next() throws IOException {
    while (read < written) {
      byte[] body = frameAt(read);
      if (body != null) {
        read += FRAME + body.length;
        return body;
      }
      damaged++;
      read = frameFrom(read + 1);
    }
    return null;
  }

  /** How many damaged stretches {@link #next} has skipped since the last call of this method. */
  int damaged() {
    int count = damaged;
    damaged = 0;
    return count;
  }

  /** The record of the frame at a position; null if there is no whole frame. */
  private byte @Nullable [] frameAt(long at) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(FRAME);
    if (!fill(head, at) || head.getInt() != MARK) {
      return null;
    }
    int length = head.getInt();
    int checksum = head.getInt();
    if (length < 0 || length > LONGEST || length > written - at - FRAME) {
      return null;
    }
    ByteBuffer body = ByteBuffer.allocate(length);
    return fill(body, at + FRAME) && checksum(body.array()) == checksum ? body.array() : null;
  }

  /** Where the next whole frame begins; the end if there is none. */
  private long frameFrom(long from) throws IOException {
    ByteBuffer window = ByteBuffer.allocate(WINDOW);
    long at = from;
    while (written - at >= FRAME) {
      int count = channel.read(window.clear(), at);
      for (int i = 0; i + Integer.BYTES <= count; i++) {
        if (window.getInt(i) == MARK && frameAt(at + i) != null) {
          return at + i;
        }
      }
      if (count < Integer.BYTES) {
        return written;
      }
      // a mark may lie across the end of the window
      at += count - Integer.BYTES + 1;
    }
    return written;
  }

  /** Fills a buffer; false if the file ends before, since somebody has truncated it. */
  private boolean fill(ByteBuffer buffer, long from) throws IOException {
    long at = from;
    while (buffer.hasRemaining()) {
      int count = channel.read(buffer, at);
      if (count < 0) {
        return false;
      }
      at += count;
    }
    buffer.flip();
    return true;
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
