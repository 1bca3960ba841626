package dev.keelson.registry.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.ReadVersion;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CustomWatchesTest {

  private static final String OPEN = schema("'size':{'type':'integer'}");

  private final LocalApi api;
  private final List<ResourceDefinition> builtIn;
  private final Semaphore woken = new Semaphore(0);

  CustomWatchesTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    builtIn = List.copyOf(api.catalog().snapshot().all());
  }

  @AfterEach
  void close() {
    api.close();
  }

  private static String schema(String properties) {
    return "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
        + "'properties':{"
        + properties
        + "}}}}}";
  }

  private void serve(String version) {
    serveDefinition(CustomTypes.widgets(version));
  }

  private void serveDefinition(String definition) {
    List<ResourceDefinition> all = new ArrayList<>(builtIn);
    all.addAll(CustomTypes.rows(definition));
    api.catalog().replaceAll(all);
  }

  private ObjectWatch watch() {
    WatchQuery query = new WatchQuery(ListQuery.ALL, new WatchQuery.Start.Objects(ReadVersion.ANY));
    return api.registry()
        .watch(api.collection("example.com/v1", "widgets", ""), query, woken::release);
  }

  private ApiObject create(String name) {
    return api.create(
        "example.com/v1", "widgets", "default", "{'metadata':{'name':'" + name + "'}}");
  }

  /** The names of the events up to the end of the watch, then the reason of the end. */
  private List<String> rest(ObjectWatch watch) throws InterruptedException {
    List<String> seen = new ArrayList<>();
    while (true) {
      ObjectWatch.Batch batch = watch.poll(10);
      for (ObjectEvent event : batch.events()) {
        seen.add(event.type() + " " + api.served(event.object()).meta().name());
      }
      @Nullable ApiException end = batch.end();
      if (end != null) {
        seen.add(end.reason().word());
        return seen;
      }
      if (!batch.more()) {
        assertThat(woken.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  void typeThatGoes_endsItsWatchesAfterTheirEvents() throws Exception {
    serve(OPEN);
    ApiObject first = create("first");
    try (ObjectWatch watch = watch()) {
      ApiObject second = create("second");
      // the definition's change follows the object's in the feed; here nothing orders the two
      assertThat(
              api.registry()
                  .get(api.collection("example.com/v1", "widgets", "default"), "second")
                  .revision())
          .isEqualTo(Long.parseLong(second.meta().resourceVersion()));
      api.catalog().replaceAll(builtIn);

      assertThat(rest(watch))
          .containsExactly(
              "ADDED " + first.meta().name(),
              "ADDED " + second.meta().name(),
              Reason.SERVICE_UNAVAILABLE.word());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // another field survives pruning
        "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
            + "'properties':{'size':{'type':'integer'},'color':{'type':'string'}}}}}}",
        // a default
        "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
            + "'properties':{'size':{'type':'integer','default':1}}}}}}",
        // a column of tables
        "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
            + "'properties':{'size':{'type':'integer'}}}}}},'additionalPrinterColumns':[{'name':"
            + "'Size','type':'integer','jsonPath':'.spec.size'}]",
        // a selectable field
        "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
            + "'properties':{'size':{'type':'integer'}}}}}},'selectableFields':[{'jsonPath':"
            + "'.spec.size'}]"
      })
  void changeOfWhatIsSent_endsTheWatch(String version) throws Exception {
    serve(OPEN);
    try (ObjectWatch watch = watch()) {
      serve(version);

      assertThat(rest(watch)).containsExactly(Reason.SERVICE_UNAVAILABLE.word());
    }
  }

  @Test
  void definitionThatWasDeletedAndCreatedAgain_endsTheWatch() throws Exception {
    serve(OPEN);
    try (ObjectWatch watch = watch()) {
      serveDefinition(CustomTypes.widgets(OPEN).replace("uid-widgets", "uid-other"));

      assertThat(rest(watch)).containsExactly(Reason.SERVICE_UNAVAILABLE.word());
    }
  }

  @Test
  void anotherStorageVersion_endsTheWatch() throws Exception {
    serve(OPEN);
    try (ObjectWatch watch = watch()) {
      serveDefinition(
          CustomTypes.widgets(OPEN)
              .replace("'storage':true", "'storage':false")
              .replace(
                  "'versions':[",
                  "'versions':[{'name':'v2','served':true,'storage':true," + OPEN + "},"));

      assertThat(rest(watch)).containsExactly(Reason.SERVICE_UNAVAILABLE.word());
    }
  }

  @Test
  void changeOfRulesAlone_letsTheWatchContinue() throws Exception {
    serve(OPEN);
    try (ObjectWatch watch = watch()) {
      serve(schema("'size':{'type':'integer','maximum':7,'description':'The size.'}"));
      ApiObject created = create("later");
      List<String> seen = new ArrayList<>();
      while (seen.isEmpty()) {
        ObjectWatch.Batch batch = watch.poll(10);
        assertThat(batch.end()).isNull();
        batch.events().forEach(e -> seen.add(api.served(e.object()).meta().name()));
        if (seen.isEmpty() && !batch.more()) {
          assertThat(woken.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        }
      }

      assertThat(seen).containsExactly(created.meta().name());
      api.catalog().replaceAll(builtIn);
      assertThat(rest(watch)).containsExactly(Reason.SERVICE_UNAVAILABLE.word());
    }
  }

  @Test
  void watchOfATypeThatWentMeanwhile_ends() throws Exception {
    serve(OPEN);
    var former = api.collection("example.com/v1", "widgets", "");
    api.catalog().replaceAll(builtIn);
    WatchQuery query = new WatchQuery(ListQuery.ALL, new WatchQuery.Start.Now());

    try (ObjectWatch watch = api.registry().watch(former, query, woken::release)) {
      assertThat(rest(watch)).containsExactly(Reason.SERVICE_UNAVAILABLE.word());
    }
  }
}
