package dev.keelson.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * How long the disk takes to make 20 KB durable, asked twenty times a second beside the load: what
 * a durable write cannot be faster than. The file is written over, so that no flush has to record a
 * new size.
 */
final class FlushTimes implements AutoCloseable {

  private static final int BYTES = 20_480;
  private static final int PLACES = 400;
  private static final long PAUSE = 50_000_000;

  private final Path file;
  private final FileChannel channel;
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Double> millis = new ArrayList<>();
  private final Thread thread;

  /** Begins to measure the disk of {@code directory}. */
  FlushTimes(Path directory) throws IOException {
    file = Files.createTempFile(directory, "flush", ".bin");
    channel = FileChannel.open(file, StandardOpenOption.WRITE);
    for (int i = 0; i < PLACES; i++) {
      write(i);
    }
    channel.force(true);
    thread = Thread.ofPlatform().daemon().name("flushes").start(this::run);
  }

  private void write(int place) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    long position = (long) place * BYTES;
    while (bytes.hasRemaining()) {
      position += channel.write(bytes, position);
    }
  }

  private void run() {
    try {
      for (int i = 0; !over.get(); i++) {
        long begin = System.nanoTime();
        write(i % PLACES);
        channel.force(false);
        millis.add((System.nanoTime() - begin) / 1e6);
        LockSupport.parkNanos(PAUSE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the measurement; the times in milliseconds. */
  List<Double> end() throws InterruptedException {
    over.set(true);
    thread.join();
    return millis;
  }

  @Override
  public void close() throws IOException {
    over.set(true);
    channel.close();
    Files.deleteIfExists(file);
  }
}
