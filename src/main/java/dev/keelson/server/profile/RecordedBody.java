package dev.keelson.server.profile;

import dev.keelson.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** A recording, which is sent when its time has passed. */
final class RecordedBody implements Body.Streamed {

  private static final int PART_BYTES = 64 << 10;

  private final JvmDiagnostics.Recording recording;
  private final Duration length;
  private final Runnable ended;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * @param recording has begun
   * @param ended runs once, when the recording has ended
   */
  RecordedBody(JvmDiagnostics.Recording recording, Duration length, Runnable ended) {
    this.recording = recording;
    this.length = length;
    this.ended = ended;
  }

  @Override
  public void writeTo(Sink sink) throws InterruptedException {
    try {
      // this is what the recording is about: it ends with the time, or with the thread
      Thread.sleep(length);
      Path file = Files.createTempFile("keelson", ".jfr");
      try {
        recording.writeTo(file);
        end();
        send(file, sink);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      end();
    }
  }

  private static void send(Path file, Sink sink) throws IOException, InterruptedException {
    try (InputStream recorded = Files.newInputStream(file)) {
      byte[] part = new byte[PART_BYTES];
      for (int read = recorded.read(part); read >= 0; read = recorded.read(part)) {
        sink.write(Payload.of(Arrays.copyOf(part, read)));
      }
    }
  }

  @Override
  public void abandon() {
    end();
  }

  private void end() {
    if (over.compareAndSet(false, true)) {
      recording.close();
      ended.run();
    }
  }
}
