package dev.keelson.http.simulated;

import dev.keelson.api.ApiException;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import dev.keelson.value.Timestamp;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a simulated container has printed.
 *
 * @param started when; it tells this run of the container from those before and after
 * @param lines in the order of their times
 * @param over whether the container has ended
 */
record ContainerLog(String started, List<Line> lines, boolean over) {

  /**
   * A line without its end.
   *
   * @param time as in the pod's status
   */
  record Line(String time, String text) {}

  private static final List<String> STATUSES =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

  /**
   * Makes the log of a container from the status of its pod.
   *
   * @param container its name
   * @param previous whether the run before the last restart is asked for
   * @param printed what it prints when it starts; empty for a line that says that it is simulated
   * @throws ApiException BadRequest if it has not run, as kubelets refuse it (source: {@code
   *     validateContainerLogStatus})
   */
  static ContainerLog of(MapNode pod, String container, boolean previous, String printed) {
    MapNode status = status(pod, container).orElse(MapNode.EMPTY);
    MapNode state = status.map("state");
    MapNode last = status.map("lastState").map("terminated");
    String which =
        "container "
            + GoQuote.quote(container)
            + " in pod "
            + GoQuote.quote(pod.map("metadata").text("name"));
    if (previous) {
      if (last.isEmpty()) {
        throw ApiException.badRequest("previous terminated " + which + " not found");
      }
      return ended(status, last, printed);
    }
    if (state.has("running")) {
      String started = state.map("running").text("startedAt");
      return new ContainerLog(started, begin(status, started, printed), false);
    }
    if (state.has("terminated")) {
      return ended(status, state.map("terminated"), printed);
    }
    if (!last.isEmpty()) {
      return ended(status, last, printed);
    }
    throw ApiException.badRequest(
        state.has("waiting")
            ? which + " is waiting to start: " + state.map("waiting").text("reason")
            : which + " is not available");
  }

  /** The status of a container, if the pod has one. */
  static Optional<MapNode> status(MapNode pod, String container) {
    return STATUSES.stream()
        .flatMap(field -> pod.map("status").maps(field).stream())
        .filter(each -> each.text("name").equals(container))
        .findFirst();
  }

  private static ContainerLog ended(MapNode status, MapNode run, String printed) {
    List<Line> lines = new ArrayList<>(begin(status, run.text("startedAt"), printed));
    if (printed.isEmpty()) {
      String message = run.text("message");
      String code = run.get("exitCode") instanceof Node.Int number ? "" + number.value() : "0";
      lines.add(
          new Line(
              run.text("finishedAt"),
              name(status)
                  + " ended with exit code "
                  + code
                  + (message.isEmpty() ? "" : ": " + message.replace('\n', ' '))));
    }
    return new ContainerLog(run.text("startedAt"), List.copyOf(lines), true);
  }

  private static List<Line> begin(MapNode status, String started, String printed) {
    Stream<String> lines =
        printed.isEmpty()
            ? Stream.of(
                name(status)
                    + " of the image "
                    + status.text("image")
                    + " started. No process runs in it.")
            : printed.lines();
    return lines.map(text -> new Line(started, text)).toList();
  }

  private static String name(MapNode status) {
    return "Simulated container " + status.text("name");
  }

  /**
   * The bytes of a window.
   *
   * @param from lines before this index were told earlier
   * @param told the number of bytes told earlier
   */
  byte[] bytes(LogWindow window, int from, long told) {
    List<Line> shown =
        lines.subList(Math.min(from, lines.size()), lines.size()).stream()
            .filter(line -> isSince(line, window))
            .toList();
    if (from == 0 && window.tailLines() != null && window.tailLines() < shown.size()) {
      shown = shown.subList(shown.size() - Math.toIntExact(window.tailLines()), shown.size());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Line line : shown) {
      String text = (window.timestamps() ? line.time + " " : "") + line.text + "\n";
      bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
    Long limit = window.limitBytes();
    if (limit == null || told + bytes.size() <= limit) {
      return bytes.toByteArray();
    }
    return Arrays.copyOf(bytes.toByteArray(), (int) Math.max(0, limit - told));
  }

  private static boolean isSince(Line line, LogWindow window) {
    return window.since() == null
        || line.time.isEmpty()
        || !Timestamp.parse(line.time).toInstant().isBefore(window.since());
  }
}
