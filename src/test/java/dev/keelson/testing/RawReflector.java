package dev.keelson.testing;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches a collection by plain HTTP as client-go's Reflector does: a list in parts or a
 * watch with initial events, then watches with bookmarks from the last revision, and a new list
 * when the revision has expired. Records every departure from an exact history: each object has a
 * counter that its writer raises by one with each write.
 */
public final class RawReflector implements AutoCloseable {

  /** How a reflector gets the objects that exist. */
  public enum Start {
    LIST,
    WATCH_LIST
  }

  /** An object as it was last told. */
  private record Seen(String uid, long revision, int count) {}

  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  /** The pause of client-go's back-off is longer. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final HttpClient http;
  private final String collection;
  private final Start start;
  private final String counter;
  private final Map<String, Seen> objects = new HashMap<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  /** Written by the thread alone. */
  private final AtomicInteger starts = new AtomicInteger();

  /** Written by the thread alone. */
  private final AtomicInteger watches = new AtomicInteger();

  /** Answers of 410, and events with that code. */
  private final AtomicInteger expired = new AtomicInteger();

  private RawReflector(KeelsonProcess server, String path, String counter, Start start, long from) {
    http = HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build();
    collection = server.address() + path;
    this.counter = counter;
    this.start = start;
    thread = Thread.ofPlatform().daemon().name("reflector " + path).unstarted(() -> run(from));
  }

  /**
   * Starts a reflector.
   *
   * @param path of the collection
   * @param counter the field of {@code spec} that each write raises by one
   */
  public static RawReflector start(
      KeelsonProcess server, String path, String counter, Start start) {
    RawReflector started = new RawReflector(server, path, counter, start, 0);
    started.thread.start();
    return started;
  }

  /** Starts a reflector that first watches from a revision, as one that was away for long. */
  public static RawReflector resume(
      KeelsonProcess server, String path, String counter, Start start, long revision) {
    RawReflector started = new RawReflector(server, path, counter, start, revision);
    started.thread.start();
    return started;
  }

  /** The counters of the known objects by name. */
  public Map<String, Integer> counters() {
    synchronized (objects) {
      Map<String, Integer> counters = new TreeMap<>();
      objects.forEach((name, seen) -> counters.put(name, seen.count));
      return counters;
    }
  }

  /** The resourceVersions of the known objects by name. */
  public Map<String, Long> revisions() {
    synchronized (objects) {
      Map<String, Long> revisions = new TreeMap<>();
      objects.forEach((name, seen) -> revisions.put(name, seen.revision));
      return revisions;
    }
  }

  /** What was lost, doubled or out of order; empty if nothing. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /** How often the server told that a revision is too old. */
  public int expired() {
    return expired.get();
  }

  /** How often all objects were read. */
  public int starts() {
    return starts.get();
  }

  private void run(long from) {
    long revision = from;
    while (!closed) {
      try {
        if (revision == 0 && start == Start.LIST) {
          revision = list();
        }
        if (revision != 0 || start == Start.WATCH_LIST) {
          revision = watch(revision);
        }
        if (revision == 0) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      } catch (IOException e) {
        // the connection is gone: from the last revision again
        LockSupport.parkNanos(PAUSE.toNanos());
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (!closed) {
          faults.add("failed: " + e);
        }
        return;
      }
    }
  }

  private HttpRequest get(String query) {
    return HttpRequest.newBuilder(URI.create(collection + query)).build();
  }

  /** Lists in parts; returns the revision of the list, or 0 if the type is not there. */
  private long list() throws IOException, InterruptedException {
    Map<String, Seen> found = new HashMap<>();
    long revision = 0;
    String token = "";
    do {
      String query = "?limit=3" + (token.isEmpty() ? "" : "&continue=" + token);
      HttpResponse<String> answer = http.send(get(query), BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        allow(answer.statusCode(), answer.body());
        return 0;
      }
      JsonObject list = JsonParser.parseString(answer.body()).getAsJsonObject();
      JsonObject metadata = list.getAsJsonObject("metadata");
      long of = metadata.get("resourceVersion").getAsLong();
      if (revision != 0 && of != revision) {
        faults.add("parts of a list at " + revision + " and " + of);
      }
      revision = of;
      JsonArray items = list.getAsJsonArray("items");
      for (JsonElement item : items) {
        found.put(name(item.getAsJsonObject()), seen(item.getAsJsonObject()));
      }
      token = metadata.has("continue") ? metadata.get("continue").getAsString() : "";
    } while (!token.isEmpty());
    replace(found);
    return revision;
  }

  private void replace(Map<String, Seen> found) {
    synchronized (objects) {
      objects.clear();
      objects.putAll(found);
    }
    int unused = starts.incrementAndGet();
  }

  /** Not served now, or too old: all is read again. */
  private void allow(int status, String body) {
    if (status == 410) {
      expired.incrementAndGet();
    } else if (status != 404 && status != 503 && status != 429) {
      faults.add("answered " + status + ": " + body);
    }
  }

  /** Watches from a revision to the end; returns the last revision, or 0 if a new list is due. */
  private long watch(long from) throws IOException, InterruptedException {
    String query =
        "?watch=true&allowWatchBookmarks=true&timeoutSeconds=120"
            + (from == 0
                ? "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                : "&resourceVersion=" + from);
    HttpResponse<Stream<String>> answer = http.send(get(query), BodyHandlers.ofLines());
    try (Stream<String> body = answer.body()) {
      if (answer.statusCode() != 200) {
        allow(answer.statusCode(), body.reduce("", String::concat));
        return 0;
      }
      int unused = watches.incrementAndGet();
      return read(from, body.iterator());
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private long read(long from, Iterator<String> lines) {
    long revision = from;
    Map<String, Seen> initial = new HashMap<>();
    while (lines.hasNext()) {
      JsonObject event = JsonParser.parseString(lines.next()).getAsJsonObject();
      String type = event.get("type").getAsString();
      JsonObject object = event.getAsJsonObject("object");
      if (type.equals("ERROR")) {
        allow(object.get("code").getAsInt(), object.toString());
        return object.get("code").getAsInt() == 410 ? 0 : revision;
      }
      Seen seen = seen(object);
      if (type.equals("BOOKMARK")) {
        if (revision == 0 && isInitialEnd(object)) {
          replace(initial);
        }
        revision = Math.max(revision, seen.revision);
      } else if (revision == 0) {
        initial.put(name(object), seen);
      } else {
        apply(type, name(object), seen, revision);
        revision = seen.revision;
      }
    }
    return revision;
  }

  private static boolean isInitialEnd(JsonObject bookmark) {
    JsonObject annotations = bookmark.getAsJsonObject("metadata").getAsJsonObject("annotations");
    return annotations != null && annotations.has(INITIAL_EVENTS_END);
  }

  private void apply(String type, String name, Seen seen, long revision) {
    String told = "%s %s %s after %d".formatted(type, name, seen, revision);
    synchronized (objects) {
      @Nullable Seen before =
          type.equals("DELETED") ? objects.remove(name) : objects.put(name, seen);
      if (before == null) {
        check(type.equals("ADDED"), "of an unknown object", told);
      } else if (type.equals("ADDED") || !before.uid.equals(seen.uid)) {
        faults.add("not after its deletion: " + told);
      } else {
        int expected = type.equals("MODIFIED") ? before.count + 1 : before.count;
        check(seen.count == expected, "lost or doubled since " + before, told);
      }
    }
    check(seen.revision > revision, "out of order", told);
  }

  private void check(boolean right, String fault, String told) {
    if (!right) {
      faults.add(fault + ": " + told);
    }
  }

  private static String name(JsonObject object) {
    return object.getAsJsonObject("metadata").get("name").getAsString();
  }

  private Seen seen(JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    JsonObject spec = object.getAsJsonObject("spec");
    return new Seen(
        metadata.has("uid") ? metadata.get("uid").getAsString() : "",
        metadata.get("resourceVersion").getAsLong(),
        spec != null && spec.has(counter) ? spec.get(counter).getAsInt() : -1);
  }

  /** The faults with what the reflector did, for a failure message. */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>(faults);
    lines.add(collection + ": " + starts + " starts, " + watches + " watches " + counters());
    return String.join("\n", lines);
  }

  @Override
  public void close() {
    closed = true;
    http.shutdownNow();
    thread.interrupt();
  }
}
