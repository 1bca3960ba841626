package dev.keelson.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.Listing;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.testing.LocalApi;
import dev.keelson.watch.Cacher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How long a revision can be read: between one and two compaction intervals. Time is moved by turns
 * of the compaction.
 */
@Timeout(120)
abstract class HistoryContract {

  private LocalApi api;
  private Compaction compaction;
  private Collection maps;

  /** Opens an empty store. */
  abstract RevisionedStore open() throws Exception;

  @BeforeEach
  void start() throws Exception {
    api = LocalApi.on(open());
    compaction =
        new Compaction(
            api.store(),
            new Compaction.Window(Duration.ofMinutes(5), Duration.ZERO, /* exclusive= */ true),
            revision -> api.cache().compact(api.store(), revision));
    maps = api.collection("v1", "configmaps", "default");
    for (String name : List.of("a", "b", "c")) {
      write("configmaps", name);
    }
    intervalPasses();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void write(String resource, String name) {
    assertThat(api.create("v1", resource, "default", "{'metadata':{'name':'" + name + "'}}"))
        .isNotNull();
  }

  private void intervalPasses() {
    compaction.compact();
  }

  private Listing list(ReadVersion version, long limit, String token) {
    return api.registry().list(maps, ListQuery.ALL, new ListPage(version, limit, token));
  }

  private List<String> names(Listing listing) {
    return listing.all().stream().map(item -> api.served(item).meta().name()).toList();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"no writes", "writes of another type", "writes of the type"})
  void continueToken_endsBetweenOneAndTwoIntervals(String activity) {
    Runnable writes =
        () -> {
          String name = "w" + api.store().revision();
          switch (activity) {
            case "writes of another type" -> write("secrets", name);
            case "writes of the type" -> write("configmaps", name);
            default -> assertThat(activity).isEqualTo("no writes");
          }
        };
    Listing first = list(ReadVersion.NEWEST, 1, "");

    writes.run();
    intervalPasses();
    writes.run();

    Listing second = list(ReadVersion.NEWEST, 1, first.token());
    assertThat(names(second)).containsExactly("b");
    assertThat(second.revision()).isEqualTo(first.revision());

    intervalPasses();

    ApiException expired =
        catchThrowableOfType(ApiException.class, () -> list(ReadVersion.NEWEST, 1, first.token()));
    assertThat(expired.reason()).isEqualTo(Reason.EXPIRED);
    assertThat(expired.text())
        .isEqualTo(
            "The provided continue parameter is too old to display a consistent list result. You"
                + " can start a new list without the continue parameter, or use the continue token"
                + " in this response to retrieve the remainder of the results. Continuing with the"
                + " provided token results in an inconsistent list - objects that were created,"
                + " modified, or deleted between the time the first chunk was returned and now may"
                + " show up in the list.");
    ErrorDetails details = expired.details();
    Listing rest = list(ReadVersion.NEWEST, 0, details.continueToken());
    assertThat(names(rest)).startsWith("b", "c");
    assertThat(rest.revision()).isGreaterThan(first.revision());
  }

  @Test
  void exactRevision_endsWithTheCompaction_whateverTheCacheHolds() {
    long revision = list(ReadVersion.NEWEST, 0, "").revision();
    ReadVersion exactly = new ReadVersion.Exactly(revision);

    intervalPasses();

    assertThat(names(list(exactly, 0, ""))).containsExactly("a", "b", "c");

    intervalPasses();

    assertThat(catchThrowable(() -> names(list(exactly, 0, ""))))
        .isInstanceOf(StorageException.Compacted.class);
  }

  @Test
  void watch_fromBeforeTheCompaction_isNotServedFromTheCache() {
    long revision = list(ReadVersion.NEWEST, 0, "").revision();
    KeyRange range = KeyLayout.KUBERNETES.range(api.storedType("v1", "configmaps"), "");
    Cacher cacher = api.cache().type(range.start());
    assertThat(cacher.watch(range, null, revision, () -> {})).isPresent();

    intervalPasses();
    intervalPasses();

    assertThat(cacher.watch(range, null, revision, () -> {})).isEmpty();
    assertThat(cacher.oldest()).isGreaterThan(revision);
  }
}
