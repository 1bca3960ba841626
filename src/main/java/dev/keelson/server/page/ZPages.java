package dev.keelson.server.page;

import dev.keelson.api.ApiException;
import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Route;
import dev.keelson.http.health.Version;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * {@code /statusz} and {@code /flagz} (source: apiserver, server/statusz and server/flagz of 1.36).
 *
 * @param features which of the pages are served
 * @param version the version of this server
 * @param flags the values of all flags, without secrets
 * @param started when the process began
 * @param paths the paths that the page names, asked for with each request
 */
public record ZPages(
    FeatureGates features,
    Version version,
    Map<String, String> flags,
    Instant started,
    InstantSource clock,
    Supplier<List<String>> paths)
    implements Route {

  private static final String COMPONENT = "kube-apiserver";
  private static final String STATUS = "/statusz";
  private static final String FLAGS = "/flagz";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String DEPRECATED = "v1alpha1";
  private static final String NOTE =
      "Warning: This endpoint is not meant to be machine parseable, has no formatting"
          + " compatibility guarantees and is for debugging purposes only.";

  /** Go's {@code time.UnixDate}. */
  private static final DateTimeFormatter UNIX_DATE =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  public ZPages {
    flags = Map.copyOf(flags);
  }

  /** The pages that are served. */
  public List<String> served() {
    List<String> served = new ArrayList<>();
    if (features.on(Feature.COMPONENT_FLAGZ)) {
      served.add(FLAGS);
    }
    if (features.on(Feature.COMPONENT_STATUSZ)) {
      served.add(STATUS);
    }
    return served;
  }

  @Override
  public boolean serves(String path) {
    return served().contains(path);
  }

  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    if (!request.method().equals("GET") || !serves(request.path())) {
      return Optional.empty();
    }
    boolean status = request.path().equals(STATUS);
    PageFormat format =
        PageFormat.accepted(
                String.join(",", request.headerValues("accept")), status ? "Statusz" : "Flagz")
            .orElseThrow(
                () ->
                    new ApiException(
                        Reason.NOT_ACCEPTABLE,
                        "only the following media types are accepted: application/json, "
                            + PageFormat.YAML
                            + ", text/plain"));
    if (format.isText()) {
      String text = status ? statusText() : flagsText();
      return Optional.of(ApiResponse.of(200, TEXT, text.getBytes(StandardCharsets.UTF_8)));
    }
    MapNode page = status ? statusPage(format) : flagsPage(format);
    ApiResponse answer =
        ApiResponse.of(
            200,
            format.mediaType(),
            format.mediaType().equals(PageFormat.YAML)
                ? ObjectWriter.yaml(page)
                : ObjectWriter.json(page));
    return Optional.of(
        format.version().equals(DEPRECATED)
            ? answer.with("Warning", deprecation(status ? "statusz" : "flagz"))
            : answer);
  }

  private String statusText() {
    Duration up = up();
    return """

    %s statusz
    %s

    Started: %s
    Up: %d hr %02d min %02d sec
    Go version: %s
    Binary version: %s
    Emulation version: %s
    Paths: %s
    """
        .formatted(
            COMPONENT,
            NOTE,
            UNIX_DATE.format(started),
            up.toHours(),
            up.toMinutesPart(),
            up.toSecondsPart(),
            version.runtime(),
            binary(),
            emulated(),
            String.join(" ", listed()));
  }

  private String flagsText() {
    StringBuilder text =
        new StringBuilder("\n" + COMPONENT + " flagz\n").append(NOTE).append("\n\n");
    new TreeMap<>(flags)
        .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text.toString();
  }

  private MapNode statusPage(PageFormat format) {
    List<Node> named = new ArrayList<>();
    listed().forEach(path -> named.add(Node.text(path)));
    return head(format, "Statusz")
        .with("startTime", Node.text(started.truncatedTo(ChronoUnit.SECONDS).toString()))
        .with("uptimeSeconds", new Node.Int(up().toSeconds()))
        .with("goVersion", Node.text(version.runtime()))
        .with("binaryVersion", Node.text(binary()))
        .with("emulationVersion", Node.text(emulated()))
        .with("paths", new Node.Items(named));
  }

  private MapNode flagsPage(PageFormat format) {
    return head(format, "Flagz").with("flags", MapNode.ofTexts(new TreeMap<>(flags)));
  }

  private static MapNode head(PageFormat format, String kind) {
    return MapNode.of("kind", Node.text(kind))
        .with("apiVersion", Node.text("config.k8s.io/" + format.version()))
        .with("metadata", MapNode.of("name", Node.text(COMPONENT)));
  }

  private Duration up() {
    Duration up = Duration.between(started, clock.instant());
    return up.isNegative() ? Duration.ZERO : up;
  }

  /** Without the {@code v} of the gitVersion, as Kubernetes prints a parsed version. */
  private String binary() {
    return version.gitVersion().substring(1);
  }

  private String emulated() {
    String binary = binary();
    return binary.substring(0, binary.indexOf('.', binary.indexOf('.') + 1));
  }

  /** The paths of diagnosis: those below another one are left out. */
  private List<String> listed() {
    return paths.get().stream()
        .filter(path -> path.indexOf('/', 1) < 0 && path.length() > 1)
        .distinct()
        .sorted()
        .toList();
  }

  private static String deprecation(String endpoint) {
    return "299 - \"This version of the "
        + endpoint
        + " endpoint is deprecated. Please use a newer version.\"";
  }
}
