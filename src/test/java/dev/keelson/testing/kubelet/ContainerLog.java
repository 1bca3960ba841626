package dev.keelson.testing.kubelet;

import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The log of a container, which grows; followers get each line that is added. */
public final class ContainerLog {

  /** A line, without its end. */
  private record Line(Instant at, String text) {}

  private final List<Line> lines = new ArrayList<>();
  private final List<Consumer<Line>> followers = new ArrayList<>();
  private final List<Runnable> ends = new ArrayList<>();

  /** Adds a line. */
  public synchronized void add(Instant at, String text) {
    Line line = new Line(at, text);
    lines.add(line);
    followers.forEach(each -> each.accept(line));
  }

  /** Ends what followers read: the container has stopped. */
  public synchronized void stop() {
    ends.forEach(Runnable::run);
    ends.clear();
    followers.clear();
  }

  /** How many read on. */
  public synchronized int followers() {
    return followers.size();
  }

  synchronized void answer(HttpServerRequest request) {
    boolean timestamps = "true".equals(request.getParam("timestamps"));
    List<Line> shown = lines.stream().filter(line -> !line.at.isBefore(since(request))).toList();
    String tail = request.getParam("tailLines");
    if (tail != null) {
      shown = shown.subList(Math.max(0, shown.size() - Integer.parseInt(tail)), shown.size());
    }
    StringBuilder text = new StringBuilder();
    shown.forEach(line -> text.append(text(line, timestamps)));
    String limit = request.getParam("limitBytes");
    if (limit != null && text.length() > Integer.parseInt(limit)) {
      text.setLength(Integer.parseInt(limit));
    }
    request.response().setChunked(true).putHeader("Content-Type", "text/plain");
    if (!"true".equals(request.getParam("follow"))) {
      var unused = request.response().end(text.toString());
      return;
    }
    begin(request, text.toString());
    Consumer<Line> follower =
        line -> {
          var unused = request.response().write(text(line, timestamps));
        };
    followers.add(follower);
    ends.add(
        () -> {
          var unused = request.response().end();
        });
    request.response().closeHandler(closed -> leave(follower));
  }

  private static void begin(HttpServerRequest request, String text) {
    var unused = request.response().write(text);
  }

  private synchronized void leave(Consumer<Line> follower) {
    followers.remove(follower);
  }

  private static Instant since(HttpServerRequest request) {
    @Nullable String time = request.getParam("sinceTime");
    if (time != null) {
      return Instant.parse(time);
    }
    @Nullable String seconds = request.getParam("sinceSeconds");
    return seconds == null ? Instant.MIN : Instant.now().minusSeconds(Long.parseLong(seconds));
  }

  private static String text(Line line, boolean timestamps) {
    return (timestamps ? line.at + " " : "") + line.text + "\n";
  }
}
