package dev.keelson.server.profile;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * {@code /debug/pprof/}: an index, {@code jfr?seconds=N} with a recording of Flight Recorder, and
 * {@code goroutine} with the stacks of all threads, by the name that tools ask for. One profile is
 * made at a time; a second request gets 429. Requests are authorized like those for any other path.
 */
public final class Profiles implements Route {

  private static final String ROOT = "/debug/pprof/";
  private static final String RECORDING = ROOT + "jfr";
  private static final String THREADS = ROOT + "goroutine";
  private static final String TEXT = "text/plain; charset=utf-8";

  /** The longest recording, in seconds. */
  static final int MOST_SECONDS = 60;

  private static final int DEFAULT_SECONDS = 30;

  private static final String INDEX =
      """
      /debug/pprof/

      jfr?seconds=N    a recording of JDK Flight Recorder over N seconds, 1 to 60 (30 without N)
      goroutine        the stacks of all threads
      """;

  /** One profile at a time. */
  private final Semaphore free = new Semaphore(1);

  private final boolean jvm;

  private Profiles(boolean jvm) {
    this.jvm = jvm;
  }

  /** The profiles of this process. */
  public static Profiles ofProcess() {
    // set by a native executable (org.graalvm.nativeimage.ImageInfo)
    return new Profiles(System.getProperty("org.graalvm.nativeimage.imagecode") == null);
  }

  @Override
  public boolean serves(String path) {
    return switch (path) {
      case "/debug/pprof", ROOT, RECORDING, THREADS -> true;
      default -> false;
    };
  }

  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    if (!request.method().equals("GET")) {
      return Optional.empty();
    }
    return switch (request.path()) {
      case "/debug/pprof" ->
          Optional.of(
              new ApiResponse(301, List.of(new Header("Location", ROOT)), Body.Payload.EMPTY));
      case ROOT -> Optional.of(text(INDEX.getBytes(StandardCharsets.UTF_8)));
      case RECORDING -> Optional.of(recording(seconds(request.query().first("seconds"))));
      case THREADS -> Optional.of(threads());
      default -> Optional.empty();
    };
  }

  /**
   * Reads the parameter.
   *
   * @throws ApiException of reason BadRequest for what is no number from 1 to 60
   */
  static Duration seconds(String text) {
    if (text.isEmpty()) {
      return Duration.ofSeconds(DEFAULT_SECONDS);
    }
    if (!text.matches("[0-9]{1,3}")
        || Integer.parseInt(text) < 1
        || Integer.parseInt(text) > MOST_SECONDS) {
      throw ApiException.badRequest(
          "invalid parameter seconds: expected a number from 1 to " + MOST_SECONDS);
    }
    return Duration.ofSeconds(Integer.parseInt(text));
  }

  private ApiResponse recording(Duration length) {
    JvmDiagnostics process = diagnostics();
    if (process == null) {
      throw new ApiException(
          Reason.NOT_IMPLEMENTED,
          "this native executable is built without JDK Flight Recorder; run the server on a JVM for"
              + " recordings");
    }
    reserve();
    boolean begun = false;
    try {
      RecordedBody body = new RecordedBody(process.record(), length, free::release);
      begun = true;
      return new ApiResponse(
          200,
          List.of(
              new Header("Content-Type", "application/octet-stream"),
              new Header("Content-Disposition", "attachment; filename=\"keelson.jfr\"")),
          body);
    } catch (IOException e) {
      throw failed(e);
    } finally {
      if (!begun) {
        free.release();
      }
    }
  }

  private ApiResponse threads() {
    JvmDiagnostics process = diagnostics();
    if (process == null) {
      return text(platformThreads().getBytes(StandardCharsets.UTF_8));
    }
    reserve();
    try {
      Path directory = Files.createTempDirectory("keelson-threads");
      Path file = directory.resolve("threads.txt");
      try {
        process.dumpThreads(file);
        return text(Files.readAllBytes(file));
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
      }
    } catch (IOException e) {
      throw failed(e);
    } finally {
      free.release();
    }
  }

  private void reserve() {
    if (!free.tryAcquire()) {
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS, "another profile is being made; try again when it has ended");
    }
  }

  /** Those of the JVM; null in a native executable. */
  private @Nullable JvmDiagnostics diagnostics() {
    if (!jvm) {
      return null;
    }
    try {
      // by name: code that refers to it would bring Flight Recorder into the native executable
      String name = getClass().getPackageName() + ".HotSpotDiagnostics";
      return Class.forName(name).asSubclass(JvmDiagnostics.class).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the diagnostics of the JVM are missing", e);
    }
  }

  /** A native executable has no dump of virtual threads. */
  static String platformThreads() {
    Map<String, StackTraceElement[]> stacks = new TreeMap<>();
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> stacks.put(thread.getName() + "#" + thread.threadId(), stack));
    StringBuilder dump = new StringBuilder("platform threads: " + stacks.size() + "\n");
    stacks.forEach(
        (name, stack) -> {
          dump.append('\n').append(name).append('\n');
          for (StackTraceElement frame : stack) {
            dump.append("    at ").append(frame).append('\n');
          }
        });
    return dump.toString();
  }

  private static ApiResponse text(byte[] body) {
    return ApiResponse.of(200, TEXT, body);
  }

  private static ApiException failed(IOException cause) {
    return new ApiException(
        Reason.INTERNAL_ERROR, "the profile cannot be made: " + cause, ErrorDetails.NONE, cause);
  }
}
