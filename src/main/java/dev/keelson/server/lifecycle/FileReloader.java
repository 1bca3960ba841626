package dev.keelson.server.lifecycle;

import dev.keelson.controller.ControllerLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Reloads files while the server runs: reads them every second and, if the content has changed,
 * parses them again. A change takes effect as a whole. If a file cannot be read or is invalid, the
 * previous value stays in effect; the failure is logged and counted once per content.
 *
 * <p>Compares contents instead of modification times or events, since mounted Secrets change
 * through symbolic links and some file systems report no events.
 */
public final class FileReloader implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(FileReloader.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final long RETRY = Duration.ofSeconds(10).toNanos();

  private final LongSupplier nanos;

  private final List<Followed<?>> followed = new CopyOnWriteArrayList<>();

  /** Counts the outcome of each change. */
  private volatile Reloads counter = (flag, outcome) -> {};

  private final ControllerLoop loop = ControllerLoop.every("files", INTERVAL, this::look);

  public FileReloader() {
    this(System::nanoTime);
  }

  /**
   * @param nanos the time in nanoseconds, from any origin
   */
  FileReloader(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Thrown by a parser for a content that may become valid without a change, as one that names a
   * server which is not there yet. It is parsed again every ten seconds.
   */
  public static final class NotReadyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public NotReadyException(String message) {
      super(message);
    }
  }

  /** Takes the outcomes of reloads. */
  @FunctionalInterface
  public interface Reloads {

    /**
     * A changed file was applied or rejected.
     *
     * @param flag the flag that names it
     * @param outcome {@code success} or {@code failure}
     */
    void reloaded(String flag, String outcome);
  }

  /** The current value of a file. */
  public interface Current<T> {
    T get();
  }

  /** Reads files for a parser and records them. */
  public interface Source {
    /**
     * Returns the content of a file.
     *
     * @throws IllegalArgumentException if the file cannot be read
     */
    String read(Path file);
  }

  /** Parses files; throws IllegalArgumentException if they are invalid. */
  public interface Parser<T> {
    T parse(Source source);
  }

  /**
   * Reads and reloads files.
   *
   * @param flag the flag that names them, for errors
   * @param parser parses their contents; throws IllegalArgumentException if they are invalid
   * @throws StartupException if they cannot be read or are invalid
   */
  public <T extends Object> Current<T> follow(
      String flag, List<Path> files, Function<List<String>, T> parser) {
    return follow(
        flag,
        files.getFirst(),
        source -> {
          List<String> texts = new ArrayList<>();
          files.forEach(file -> texts.add(source.read(file)));
          return parser.apply(texts);
        });
  }

  /**
   * Reads and reloads a file and all files that the parser reads.
   *
   * @param flag the flag that names the file, for errors
   * @throws StartupException if it cannot be read or is invalid
   */
  public <T extends Object> Current<T> follow(String flag, Path file, Parser<T> parser) {
    Recorded source = new Recorded();
    try {
      Followed<T> one = new Followed<>(flag, parser, source.texts, parser.parse(source));
      followed.add(one);
      return one;
    } catch (RuntimeException e) {
      throw new StartupException(flag + ": " + file + ": " + e.getMessage(), e);
    }
  }

  /** The content that a followed file had when it was last looked at; empty for other flags. */
  public Optional<String> content(String flag) {
    return followed.stream()
        .filter(one -> one.flag.equals(flag))
        .findFirst()
        .map(one -> one.seen.values().iterator().next());
  }

  /** Starts to poll, if there are files. */
  public void start(Reloads counter) {
    counting(counter);
    if (!followed.isEmpty()) {
      loop.startAfterInterval();
    }
  }

  /** Sets the listener of outcomes. */
  public void counting(Reloads counter) {
    this.counter = counter;
  }

  @Override
  public void close() {
    loop.close();
  }

  /** Checks every file once. */
  public void look() {
    for (Followed<?> one : followed) {
      String outcome = one.look(nanos.getAsLong());
      if (!outcome.isEmpty()) {
        counter.reloaded(one.flag, outcome);
      }
    }
  }

  /** The contents that a parser has read, by file; an error message if a file could not be read. */
  private static final class Recorded implements Source {

    private final Map<Path, String> texts = new LinkedHashMap<>();

    @Override
    public String read(Path file) {
      try {
        String text = text(file);
        texts.put(file, text);
        return text;
      } catch (IOException e) {
        texts.put(file, e.toString());
        throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
      }
    }

    private static String text(Path file) throws IOException {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** Reads the current contents of the files. */
    static Map<Path, String> now(Set<Path> files) {
      Map<Path, String> texts = new LinkedHashMap<>();
      for (Path file : files) {
        try {
          texts.put(file, text(file));
        } catch (IOException e) {
          texts.put(file, e.toString());
        }
      }
      return texts;
    }
  }

  /** A value and its files, the one of the flag first. Only the polling thread modifies it. */
  private static final class Followed<T extends Object> implements Current<T> {

    private final String flag;
    private final Parser<T> parser;
    private volatile Map<Path, String> seen;
    private volatile T current;

    /** When a content that was not ready is parsed again; empty for any other. */
    private OptionalLong due = OptionalLong.empty();

    Followed(String flag, Parser<T> parser, Map<Path, String> seen, T current) {
      this.flag = flag;
      this.parser = parser;
      this.seen = seen;
      this.current = current;
    }

    @Override
    public T get() {
      return current;
    }

    /** Returns the outcome; empty if nothing has changed. */
    String look(long nanos) {
      Map<Path, String> now = Recorded.now(seen.keySet());
      boolean changed = !now.equals(seen);
      if (!changed && (due.isEmpty() || nanos - due.getAsLong() < 0)) {
        return "";
      }
      due = OptionalLong.empty();
      Recorded source = new Recorded();
      try {
        current = parser.parse(source);
        seen = source.texts;
        LOG.infof("event=file-reloaded flag=%s files=%s", flag, seen.keySet());
        return "success";
      } catch (RuntimeException e) {
        // keeps files that the parser did not reach: one of them may be corrected
        now.putAll(source.texts);
        seen = now;
        if (e instanceof NotReadyException) {
          due = OptionalLong.of(nanos + RETRY);
        }
        if (!changed) {
          return "";
        }
        LOG.errorf(
            "event=file-reload-failed flag=%s files=%s error=%s; the previous content stays in"
                + " effect",
            flag, seen.keySet(), e.getMessage());
        return "failure";
      }
    }
  }
}
