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
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Follows files whose content may change while the server runs: reads them every second and, when
 * they differ, makes of them what the server uses. A change takes effect at once and as a whole; a
 * file that cannot be read or is wrong keeps what was there before, and is told in the log and
 * counted, once for each content.
 *
 * <p>Looks at content and not at times or events, since mounted Secrets change by links, and some
 * file systems report nothing.
 */
public final class FileReloader implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(FileReloader.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final List<Followed<?>> followed = new CopyOnWriteArrayList<>();

  /** Is told the flag and the outcome ({@code success} or {@code failure}) of each change. */
  private volatile Reloads counter = (flag, outcome) -> {};

  private final ControllerLoop loop = ControllerLoop.every("files", INTERVAL, this::look);

  /** Learns of changed files. */
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

  /** What has been made of a file, newest. */
  public interface Current<T> {
    T get();
  }

  /** Reads a file for a parser, and remembers that it did. */
  public interface Source {
    /**
     * The whole text.
     *
     * @throws IllegalArgumentException if the file cannot be read
     */
    String read(Path file);
  }

  /** Makes what the server uses; throws IllegalArgumentException if the files are wrong. */
  public interface Parser<T> {
    T parse(Source source);
  }

  /**
   * Reads files and follows them.
   *
   * @param flag the flag that names them, for errors
   * @param parser makes of their texts what is used; throws IllegalArgumentException if they are
   *     wrong
   * @throws StartupException if they cannot be used now
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
   * Reads a file that may name others, and follows all that the parser has read.
   *
   * @param flag the flag that names the file, for errors
   * @throws StartupException if it cannot be used now
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

  /** Begins to look for changes, if there is a file to follow. */
  public void start(Reloads counter) {
    counting(counter);
    if (!followed.isEmpty()) {
      loop.startAfterInterval();
    }
  }

  /** Says who is told of outcomes. */
  public void counting(Reloads counter) {
    this.counter = counter;
  }

  @Override
  public void close() {
    loop.close();
  }

  /** One look at every file. */
  public void look() {
    for (Followed<?> one : followed) {
      String outcome = one.look();
      if (!outcome.isEmpty()) {
        counter.reloaded(one.flag, outcome);
      }
    }
  }

  /** What a parser has read, by file; what could not be read is there with the reason. */
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

    /** The same files as they are now. */
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

  /** One use of some files. Only the watching thread changes it. */
  private static final class Followed<T extends Object> implements Current<T> {

    private final String flag;
    private final Parser<T> parser;
    private Map<Path, String> seen;
    private volatile T current;

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

    /** Empty if nothing has changed, else the outcome. */
    String look() {
      Map<Path, String> now = Recorded.now(seen.keySet());
      if (now.equals(seen)) {
        return "";
      }
      Recorded source = new Recorded();
      try {
        current = parser.parse(source);
        seen = source.texts;
        LOG.infof("event=file-reloaded flag=%s files=%s", flag, seen.keySet());
        return "success";
      } catch (RuntimeException e) {
        // files that the parser did not come to count as well: one of them may be mended
        now.putAll(source.texts);
        seen = now;
        LOG.errorf(
            "event=file-reload-failed flag=%s files=%s error=%s; what was read before is kept",
            flag, seen.keySet(), e.getMessage());
        return "failure";
      }
    }
  }
}
