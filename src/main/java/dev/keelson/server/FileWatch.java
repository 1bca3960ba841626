package dev.keelson.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows files whose content may change while the server runs: reads them every second and, when
 * they differ, makes of them what the server uses. A change takes effect at once and as a whole; a
 * file that cannot be read or is wrong keeps what was there before, and is told in the log and
 * counted, once for each content.
 *
 * <p>Looks at content and not at times or events, since mounted Secrets change by links, and some
 * file systems report nothing.
 */
final class FileWatch implements AutoCloseable {

  private static final Logger LOG = System.getLogger(FileWatch.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final List<Followed<?>> followed = new CopyOnWriteArrayList<>();

  /** Is told the flag and the outcome ({@code success} or {@code failure}) of each change. */
  private volatile BiConsumer<String, String> counter = (flag, outcome) -> {};

  private volatile @Nullable Thread thread;

  /** What has been made of a file, newest. */
  interface Current<T> {
    T get();
  }

  /**
   * Reads files and follows them.
   *
   * @param flag the flag that names them, for errors
   * @param parser makes of their texts what is used; throws IllegalArgumentException if they are
   *     wrong
   * @throws StartException if they cannot be used now
   */
  <T extends Object> Current<T> follow(
      String flag, List<Path> files, Function<List<String>, T> parser) {
    try {
      List<String> texts = read(files);
      Followed<T> one = new Followed<>(flag, files, parser, texts, parser.apply(texts));
      followed.add(one);
      return one;
    } catch (IOException | RuntimeException e) {
      throw new StartException(flag + ": " + files.getFirst() + ": " + e.getMessage(), e);
    }
  }

  /** Begins to look for changes, if there is a file to follow. */
  void start(BiConsumer<String, String> counter) {
    counting(counter);
    if (!followed.isEmpty()) {
      thread = Thread.ofVirtual().name("files").start(this::run);
    }
  }

  /** Says who is told of outcomes. */
  void counting(BiConsumer<String, String> counter) {
    this.counter = counter;
  }

  @Override
  public void close() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(PAUSE.toNanos());
      look();
    }
  }

  /** One look at every file. */
  void look() {
    for (Followed<?> one : followed) {
      String outcome = one.look();
      if (!outcome.isEmpty()) {
        counter.accept(one.flag, outcome);
      }
    }
  }

  private static List<String> read(List<Path> files) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path file : files) {
      texts.add(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }
    return texts;
  }

  /** One use of some files. Only the watching thread changes it. */
  private static final class Followed<T extends Object> implements Current<T> {

    private final String flag;
    private final List<Path> files;
    private final Function<List<String>, T> parser;
    private List<String> seen;
    private volatile T current;

    Followed(
        String flag,
        List<Path> files,
        Function<List<String>, T> parser,
        List<String> seen,
        T current) {
      this.flag = flag;
      this.files = files;
      this.parser = parser;
      this.seen = seen;
      this.current = current;
    }

    @Override
    public T get() {
      return current;
    }

    /** Empty if nothing has changed, else the outcome. */
    String look() {
      List<String> texts;
      String missing = "";
      try {
        texts = read(files);
      } catch (IOException e) {
        // told once, and looked at again when the file is back
        missing = e.toString();
        texts = List.of();
      }
      if (texts.equals(seen)) {
        return "";
      }
      seen = texts;
      try {
        if (!missing.isEmpty()) {
          throw new IllegalArgumentException(missing);
        }
        current = parser.apply(texts);
        LOG.log(Level.INFO, "event=file-reloaded flag={0} files={1}", flag, files);
        return "success";
      } catch (RuntimeException e) {
        LOG.log(
            Level.ERROR,
            "event=file-reload-failed flag={0} files={1} error={2}; what was read before is kept",
            flag,
            files,
            e.getMessage());
        return "failure";
      }
    }
  }
}
