package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ListQuery.Uninitialized;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery;
import dev.keelson.registry.write.DeleteQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class InitializersTest extends RegistryTest {

  private static final ListQuery HIDDEN =
      new ListQuery(LabelSelector.EVERYTHING, FieldSelector.EVERYTHING, Uninitialized.HIDDEN);
  private static final String WAITING =
      "{'metadata':{'name':'new','initializers':{'pending':[{'name':'a.io/x'},{'name':'b.io/y'}]}}}";

  private final Collection maps;

  InitializersTest(@TempDir Path directory) {
    super(directory);
    maps = api.collection("v1", "configmaps", "default");
    api.create("v1", "configmaps", "default", "{'metadata':{'name':'old'}}");
  }

  private List<String> names(ListQuery query) {
    return api.registry().list(maps, query, ListPage.WHOLE).all().stream()
        .map(object -> api.registry().served(object).meta().name())
        .toList();
  }

  private ApiObject current() {
    return api.get("v1", "configmaps", "default", "new");
  }

  private static ApiObject without(ApiObject object) {
    ObjectMeta meta = object.meta();
    return object.withMeta(meta.without("initializers"));
  }

  @Test
  void list_hidesWhatWaits_untilTheLastInitializerIsDone() {
    api.create("v1", "configmaps", "default", WAITING);

    assertThat(names(HIDDEN)).containsExactly("old");
    assertThat(names(ListQuery.ALL)).containsExactly("new", "old");
    assertThat(current().meta().node().map("initializers").items("pending")).hasSize(2);

    ApiObject empty =
        current()
            .withMeta(
                current().meta().with("initializers", MapNode.of("pending", Node.Items.EMPTY)));
    api.registry().replace(maps, "new", empty, WriteOptions.PERSIST);

    assertThat(names(HIDDEN)).containsExactly("new", "old");
    assertThat(current().meta().node().has("initializers")).isFalse();
  }

  @Test
  void watch_tellsOfAnObjectWhenItIsInitialized() throws InterruptedException {
    BlockingQueue<Boolean> wakes = new LinkedBlockingQueue<>();
    ObjectWatch watch =
        api.registry()
            .watch(maps, new WatchQuery(HIDDEN, new WatchQuery.Start.Now()), () -> wakes.add(true));
    try {
      assertThat(watch.poll(10).events()).isEmpty();
      api.create("v1", "configmaps", "default", WAITING);
      api.registry().replace(maps, "new", without(current()), WriteOptions.PERSIST);

      List<ObjectEvent> events = new ArrayList<>();
      while (events.isEmpty()) {
        assertThat(wakes.poll(60, TimeUnit.SECONDS)).isTrue();
        events.addAll(watch.poll(10).events());
      }
      assertThat(events).extracting(ObjectEvent::type).containsExactly(ObjectEvent.Type.ADDED);
    } finally {
      watch.close();
    }
  }

  @Test
  void deleteCollection_leavesWhatIsHidden() {
    api.create("v1", "configmaps", "default", WAITING);

    api.registry()
        .deleteCollection(
            maps, HIDDEN, ListPage.WHOLE, DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST, 1)
        .all();

    assertThat(names(ListQuery.ALL)).containsExactly("new");
  }

  @Test
  void closedGate_forgetsWhoIsWaitedFor() {
    ApiObject waiting = api.create("v1", "configmaps", "default", WAITING);

    ApiObject kept = Initializers.dropEmpty(Defaulting.NONE).complete(maps.definition(), waiting);
    ApiObject forgotten =
        Initializers.dropDisabled(Defaulting.NONE).complete(maps.definition(), waiting);

    assertThat(Initializers.pending(kept.meta())).isTrue();
    assertThat(forgotten).isEqualTo(without(waiting));
  }

  @Test
  void initializer_forAnObjectThatIsInitialized_isRefused() {
    ApiObject waiting = api.create("v1", "configmaps", "default", WAITING);

    assertThat(
            Initializers.validating(ObjectRules.NONE)
                .validateUpdate(maps.definition(), "", waiting, without(waiting), warning -> {}))
        .singleElement()
        .satisfies(
            cause ->
                assertThat(cause.summary())
                    .startsWith("metadata.initializers: Invalid value: ")
                    .endsWith("field is immutable once initialization has completed"));
  }
}
