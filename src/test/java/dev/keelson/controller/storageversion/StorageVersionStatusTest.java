package dev.keelson.controller.storageversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StorageVersionStatusTest {

  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant SECOND = Instant.parse("2026-01-02T00:00:00Z");
  private static final ApiObject EMPTY =
      new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text("apps.deployments"))));

  private static MapNode statement(String server, String encoding) {
    return new StoredResource("apps.deployments", encoding, List.of(encoding), List.of())
        .of(server);
  }

  private static String common(ApiObject object) {
    return object.root().map("status").text("commonEncodingVersion");
  }

  /** The condition's status, reason, message and time. */
  private static String condition(ApiObject object) {
    List<MapNode> all = object.root().map("status").maps("conditions");
    assertThat(all).hasSize(1);
    MapNode only = all.getFirst();
    assertThat(only.text("type")).isEqualTo("AllEncodingVersionsEqual");
    return String.join(
        " ",
        only.text("status"),
        only.text("reason"),
        only.text("message"),
        only.text("lastTransitionTime"));
  }

  @Test
  void servers_thatWriteTheSame_haveACommonVersion() {
    ApiObject one = StorageVersionStatus.with(EMPTY, statement("a", "apps/v1"), FIRST);
    ApiObject two = StorageVersionStatus.with(one, statement("b", "apps/v1"), SECOND);

    assertThat(StorageVersionStatus.servers(two))
        .extracting(StorageVersionStatus::server)
        .containsExactly("a", "b");
    assertThat(common(two)).isEqualTo("apps/v1");
    assertThat(condition(two))
        .isEqualTo(
            "True CommonEncodingVersionSet Common encoding version set 2026-01-01T00:00:00Z");
    assertThat(StorageVersionStatus.with(two, statement("b", "apps/v1"), SECOND)).isEqualTo(two);
  }

  @Test
  void servers_thatWriteOtherVersions_haveNone() {
    ApiObject one = StorageVersionStatus.with(EMPTY, statement("a", "apps/v1"), FIRST);
    ApiObject two = StorageVersionStatus.with(one, statement("b", "apps/v2"), SECOND);

    assertThat(common(two)).isEmpty();
    assertThat(condition(two))
        .isEqualTo(
            "False CommonEncodingVersionUnset Common encoding version unset"
                + " 2026-01-02T00:00:00Z");
  }

  @Test
  void anotherCommonVersion_isATransition() {
    ApiObject old = StorageVersionStatus.with(EMPTY, statement("a", "apps/v1"), FIRST);
    ApiObject next = StorageVersionStatus.with(old, statement("a", "apps/v2"), SECOND);

    assertThat(common(next)).isEqualTo("apps/v2");
    assertThat(condition(next)).startsWith("True").endsWith("2026-01-02T00:00:00Z");
  }
}
