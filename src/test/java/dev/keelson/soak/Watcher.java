package dev.keelson.soak;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.soak.Api.Away;
import dev.keelson.soak.Observations.Event;
import dev.keelson.soak.Observations.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists or streams the objects of a scope and watches them, as an informer: resumes a broken watch,
 * and lists again when it has expired.
 */
final class Watcher {

  /** What the owner does with what the watcher sees. */
  interface Sink {

    /** The watcher has begun, or has had to begin anew, with these objects. */
    void began(long revision, Map<String, JsonObject> objects);

    /** One change. */
    default void changed(Event event, JsonObject object) {}
  }

  private final String prefix;
  private final Scope scope;
  private final boolean streaming;
  private final boolean cached;
  private final Sink sink;
  private final Consumer<Observations> seen;
  private final String how;

  private final List<Event> events = new ArrayList<>();
  private long after;
  private long revision;
  private boolean begun;

  /**
   * A watcher that has not begun.
   *
   * @param prefix of the namespaces of the run
   * @param streaming whether it begins by a streaming list rather than a list
   * @param cached whether what it begins with may be old
   * @param seen takes what is to be proved
   */
  Watcher(
      String prefix,
      Scope scope,
      boolean streaming,
      boolean cached,
      Sink sink,
      Consumer<Observations> seen) {
    this.prefix = prefix;
    this.scope = scope;
    this.streaming = streaming;
    this.cached = cached;
    this.sink = sink;
    this.seen = seen;
    how = (streaming ? "streaming" : "list and") + " watch" + (cached ? " from the cache" : "");
  }

  /** Every change up to here has been told. */
  long revision() {
    return revision;
  }

  boolean begun() {
    return begun;
  }

  /**
   * Watches until the server or the network ends it, or {@code over} says so.
   *
   * @param api the server, which may be another one than the last time
   * @param over asked after each event
   */
  void follow(Api api, BooleanSupplier over, long floor) throws Away, InterruptedException {
    if (!begun && !streaming) {
      list(api, floor);
    }
    String query = "?watch=1&allowWatchBookmarks=true&timeoutSeconds=5" + selector(scope);
    if (begun) {
      query += "&resourceVersion=" + revision;
    } else {
      query +=
          "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
              + (cached ? "&resourceVersion=0" : "");
    }
    Api.Opened opened = api.watch(Api.path(scope.namespace()) + query);
    if (opened.code() == 410) {
      finish();
      return;
    }
    Api.Stream stream = opened.stream();
    if (stream == null) {
      throw new AssertionError(how + " was answered with " + opened.code() + opened.text());
    }
    try (stream) {
      Map<String, JsonObject> initial = new HashMap<>();
      while (!over.getAsBoolean()) {
        JsonObject line = stream.next();
        if (line == null || !take(line, initial, floor)) {
          return;
        }
      }
    }
  }

  /** What was seen is complete; the next {@link #follow} begins anew. */
  void finish() {
    if (begun) {
      seen.accept(new Observations.Watched(how, scope, after, revision, events));
    }
    begun = false;
    events.clear();
  }

  private boolean take(JsonObject line, Map<String, JsonObject> initial, long floor) {
    String type = line.get("type").getAsString();
    JsonObject object = line.getAsJsonObject("object");
    if (type.equals("ERROR")) {
      if (object.get("code").getAsInt() == 410) {
        finish();
      }
      return false;
    }
    JsonObject metadata = object.getAsJsonObject("metadata");
    long told = Long.parseLong(metadata.get("resourceVersion").getAsString());
    if (type.equals("BOOKMARK")) {
      JsonElement annotations = metadata.get("annotations");
      boolean end =
          annotations != null && annotations.getAsJsonObject().has("k8s.io/initial-events-end");
      if (!begun && end) {
        begin(told, initial, floor);
      } else if (begun) {
        if (told < revision) {
          throw new AssertionError("a bookmark of " + told + " after " + revision);
        }
        revision = told;
      }
      return true;
    }
    if (!begun) {
      if (isMine(prefix, key(metadata))) {
        initial.put(key(metadata), object);
      }
      return true;
    }
    if (told <= revision) {
      throw new AssertionError(how + " told " + line + " after " + revision);
    }
    revision = told;
    Event event = new Event(type, key(metadata), told);
    if (!isMine(prefix, event.key())) {
      return true;
    }
    events.add(event);
    sink.changed(event, object);
    return true;
  }

  private void list(Api api, long floor) throws Away, InterruptedException {
    String query = "?" + selector(scope) + (cached ? "&resourceVersion=0" : "");
    Api.Response answer = api.send("GET", Api.path(scope.namespace()) + query, "");
    begin(answer.revision(), items(prefix, answer.body()), floor);
  }

  private void begin(long at, Map<String, JsonObject> objects, long floor) {
    begun = true;
    after = at;
    revision = at;
    seen.accept(new Observations.Listed(how, scope, cached ? 0 : floor, at, versions(objects)));
    sink.began(at, objects);
  }

  static String selector(Scope scope) {
    return scope.group().isEmpty() ? "" : "&labelSelector=group%3D" + scope.group();
  }

  /** The objects of a list by key, those of the namespaces that begin with {@code prefix}. */
  static Map<String, JsonObject> items(String prefix, JsonObject list) {
    Map<String, JsonObject> items = new HashMap<>();
    for (JsonElement item : list.getAsJsonArray("items")) {
      JsonObject object = item.getAsJsonObject();
      if (items.put(key(object.getAsJsonObject("metadata")), object) != null) {
        throw new AssertionError("twice in a list: " + object);
      }
    }
    items.keySet().removeIf(key -> !isMine(prefix, key));
    return items;
  }

  /** Whether the run made an object: a controller of the server makes one in every namespace. */
  private static boolean isMine(String prefix, String key) {
    return key.startsWith(prefix) && !key.endsWith("/kube-root-ca.crt");
  }

  static Map<String, Long> versions(Map<String, JsonObject> objects) {
    Map<String, Long> versions = new HashMap<>();
    objects.forEach((key, object) -> versions.put(key, version(object)));
    return versions;
  }

  static long version(JsonObject object) {
    return Long.parseLong(object.getAsJsonObject("metadata").get("resourceVersion").getAsString());
  }

  static @Nullable String group(JsonObject object) {
    JsonElement labels = object.getAsJsonObject("metadata").get("labels");
    return labels == null ? null : labels.getAsJsonObject().get("group").getAsString();
  }

  private static String key(JsonObject metadata) {
    return metadata.get("namespace").getAsString() + "/" + metadata.get("name").getAsString();
  }
}
