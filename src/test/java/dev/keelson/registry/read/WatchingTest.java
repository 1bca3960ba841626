package dev.keelson.registry.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WatchingTest extends RegistryTest {

  private static final long FAR = 1_000_000_000L;

  private final Collection maps;
  private final BlockingQueue<Boolean> wakes = new LinkedBlockingQueue<>();

  WatchingTest(@TempDir Path directory) {
    super(directory);
    maps = api.collection("v1", "configmaps", "default");
  }

  @Test
  void watch_ofASelection_seesWhatComesGoesAndStays() throws InterruptedException {
    ApiObject plain = api.create("v1", "configmaps", "default", "{'metadata':{'name':'m'}}");
    long before = Long.parseLong(plain.meta().resourceVersion());
    change(map -> map.with("labels", MapNode.of("k", Node.text("v"))));
    change(map -> map.with("annotations", MapNode.of("a", Node.text("1"))));
    change(map -> map.without("labels"));
    long left = Long.parseLong(current().meta().resourceVersion());
    change(map -> map.with("labels", MapNode.of("k", Node.text("v"))));
    Deleted deleted =
        api.registry().delete(maps, "m", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
    assertThat(deleted).isNotNull();

    List<ObjectEvent> events =
        follow(new ListQuery(LabelSelector.parse("k=v"), FieldSelector.EVERYTHING), before, 5);

    assertThat(events)
        .extracting(ObjectEvent::type)
        .containsExactly(
            ObjectEvent.Type.ADDED,
            ObjectEvent.Type.MODIFIED,
            ObjectEvent.Type.DELETED,
            ObjectEvent.Type.ADDED,
            ObjectEvent.Type.DELETED);
    ObjectEvent gone = events.get(2);
    assertThat(gone.object().revision()).isEqualTo(left);
    assertThat(api.served(gone.object()).meta().labels()).containsEntry("k", "v");
    assertThat(events.get(4).object().revision()).isGreaterThan(events.get(3).object().revision());
  }

  @Test
  void watch_fromBeforeTheHistory_isToldFromWhereItCouldBegin() throws InterruptedException {
    ApiObject map = api.create("v1", "configmaps", "default", "{'metadata':{'name':'m'}}");
    api.store().compact(Long.parseLong(map.meta().resourceVersion()));
    try (Open watch = open(ListQuery.ALL, new WatchQuery.Start.After(1))) {
      ApiException end = watch.watch.poll(10).end();
      while (end == null) {
        assertThat(wakes.poll(60, TimeUnit.SECONDS)).isTrue();
        end = watch.watch.poll(10).end();
      }

      assertThat(end.reason()).isEqualTo(Reason.EXPIRED);
      assertThat(end.text()).matches("too old resource version: 1 \\(\\d+\\)");
    }
  }

  @Test
  void list_atARevisionBeforeTheHistory_isExpired() {
    ApiObject map = api.create("v1", "configmaps", "default", "{'metadata':{'name':'m'}}");
    api.store().compact(Long.parseLong(map.meta().resourceVersion()));

    ListPage page = new ListPage(new ReadVersion.Exactly(1), 0, "");

    assertThat(catchThrowable(() -> api.registry().list(maps, ListQuery.ALL, page).all()))
        .isInstanceOf(StorageException.Compacted.class);
  }

  @Test
  void watch_fromARevisionToCome_isToldThatItIsTooLarge() {
    ApiException refusal =
        catchThrowableOfType(
            ApiException.class, () -> open(ListQuery.ALL, new WatchQuery.Start.After(FAR)).close());

    assertThat(refusal.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(refusal.text()).startsWith("Timeout: Too large resource version: " + FAR);
    assertThat(refusal.details().causes())
        .extracting(FieldCause::reason)
        .containsExactly("ResourceVersionTooLarge");
  }

  private List<ObjectEvent> follow(ListQuery query, long after, int count)
      throws InterruptedException {
    List<ObjectEvent> events = new ArrayList<>();
    try (Open watch = open(query, new WatchQuery.Start.After(after))) {
      while (events.size() < count) {
        ObjectWatch.Batch batch = watch.watch.poll(100);
        events.addAll(batch.events());
        if (events.size() < count && !batch.more()) {
          assertThat(wakes.poll(60, TimeUnit.SECONDS)).isTrue();
        }
      }
    }
    return events;
  }

  private Open open(ListQuery query, WatchQuery.Start start) {
    return new Open(
        api.registry().watch(maps, new WatchQuery(query, start), () -> wakes.add(true)));
  }

  private record Open(ObjectWatch watch) implements AutoCloseable {
    @Override
    public void close() {
      watch.close();
    }
  }

  private ApiObject current() {
    return api.get("v1", "configmaps", "default", "m");
  }

  private void change(UnaryOperator<MapNode> edit) {
    ApiObject map = current();
    ApiObject edited = map.with("metadata", edit.apply(map.meta().node()));
    api.replace("v1", "configmaps", "default", "m", edited);
  }
}
