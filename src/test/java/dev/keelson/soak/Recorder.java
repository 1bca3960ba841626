package dev.keelson.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.keelson.soak.Api.Away;
import dev.keelson.soak.Observations.Event;
import dev.keelson.soak.Observations.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the history of all objects of a run by a watch, through one server after the other as
 * they break it.
 */
final class Recorder implements Watcher.Sink {

  private final List<Api> apis;
  private final RecordedHistory reads;
  private final WriteHistory writes;
  private final Watcher watcher;
  private final CountDownLatch begun = new CountDownLatch(1);
  private boolean first = true;
  private long reached;

  Recorder(List<Api> apis, Names names, ClientLog log, RecordedHistory reads, WriteHistory writes) {
    this.apis = List.copyOf(apis);
    this.reads = reads;
    this.writes = writes;
    watcher = new Watcher(names.prefix(), new Scope("", ""), false, false, this, log::add);
  }

  /** Is released when the history has begun. */
  CountDownLatch begun() {
    return begun;
  }

  /** The revision up to which changes of the run are recorded. */
  long reached() {
    return reached;
  }

  /** Records until {@code over}, which is asked after each event. */
  void run(BooleanSupplier over) throws InterruptedException {
    for (int i = 0; !over.getAsBoolean(); i++) {
      try {
        watcher.follow(apis.get(i % apis.size()), over, 0);
      } catch (Away e) {
        SoakRun.pause();
      }
    }
    watcher.finish();
  }

  @Override
  public void began(long revision, Map<String, JsonObject> objects) {
    if (first) {
      assertThat(objects).isEmpty();
    } else {
      Map<String, RecordedHistory.Item> items = new HashMap<>();
      Map<String, WriteHistory.State> states = new HashMap<>();
      objects.forEach(
          (key, object) -> {
            long version = Watcher.version(object);
            items.put(key, new RecordedHistory.Item(version, group(object)));
            states.put(key, new WriteHistory.State(version, ClientLog.value(object)));
          });
      reads.gap(reached, revision, items);
      writes.gap(reached, revision, states);
    }
    first = false;
    reached = revision;
    begun.countDown();
  }

  @Override
  public void changed(Event event, JsonObject object) {
    boolean deleted = event.type().equals("DELETED");
    reads.change(
        event.revision(), new RecordedHistory.Change(event.key(), deleted ? null : group(object)));
    writes.change(event.revision(), event.key(), deleted ? null : ClientLog.value(object));
    reached = event.revision();
  }

  private static String group(JsonObject object) {
    @Nullable String group = Watcher.group(object);
    return group == null ? "" : group;
  }
}
