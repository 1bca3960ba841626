package dev.keelson.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The owners of claims (source: {@code stateful_set_utils_test.go}). */
final class ClaimOwnersTest {

  private static final String POD = "pod-uid";
  private static final MapNode SET_OWNER = owner("apps/v1", "StatefulSet", "db", "set-uid");
  private static final MapNode POD_OWNER = owner("v1", "Pod", "db-0", POD);
  private static final MapNode OTHER = owner("v1", "ConfigMap", "other", "other-uid");

  private static MapNode owner(String version, String kind, String name, String uid) {
    return CustomTypes.tree(
        ("{'apiVersion':'%s','kind':'%s','name':'%s','uid':'%s','controller':true,"
                + "'blockOwnerDeletion':true}")
            .formatted(version, kind, name, uid));
  }

  private static StatefulSet set(int replicas, String scaled, String deleted) {
    return new StatefulSet(
        new ApiObject(
            CustomTypes.tree(
                ("{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'db','namespace':"
                        + "'default','uid':'set-uid'},'spec':{'replicas':%d,"
                        + "'persistentVolumeClaimRetentionPolicy':{'whenScaled':'%s',"
                        + "'whenDeleted':'%s'}}}")
                    .formatted(replicas, scaled, deleted))));
  }

  @ParameterizedTest
  @CsvSource({
    "1, Retain, Retain, ''",
    "1, Retain, Delete, StatefulSet",
    "1, Delete, Retain, ''",
    "1, Delete, Delete, StatefulSet",
    "0, Retain, Retain, ''",
    "0, Retain, Delete, StatefulSet",
    "0, Delete, Retain, Pod",
    "0, Delete, Delete, Pod"
  })
  void claim_isOwnedByTheSetOrThePod(int replicas, String scaled, String deleted, String kind) {
    StatefulSet set = set(replicas, scaled, deleted);

    List<MapNode> wanted = ClaimOwners.wanted(List.of(SET_OWNER, POD_OWNER), set, 0, POD);

    assertThat(wanted.stream().map(owner -> owner.text("kind")))
        .isEqualTo(kind.isEmpty() ? List.of() : List.of(kind));
    assertThat(ClaimOwners.areRight(wanted, set, 0, POD)).isTrue();
    assertThat(ClaimOwners.areRight(List.of(SET_OWNER, POD_OWNER), set, 0, POD)).isFalse();
  }

  @Test
  void earlierSetOrPodOfTheName_goesFirst_andIsReplacedThen() {
    StatefulSet set = set(1, "Delete", "Delete");
    MapNode earlierSet = owner("apps/v1", "StatefulSet", "db", "earlier");
    MapNode earlierPod = owner("v1", "Pod", "db-0", "earlier");

    for (MapNode earlier : List.of(earlierSet, earlierPod)) {
      assertThat(ClaimOwners.areRight(List.of(SET_OWNER, earlier), set, 0, POD)).isFalse();
      assertThat(ClaimOwners.hasUnexpectedController(List.of(earlier), set, 0, POD)).isTrue();
      assertThat(ClaimOwners.wanted(List.of(earlier), set, 0, POD)).isEmpty();
    }
    assertThat(ClaimOwners.wanted(List.of(), set, 0, POD)).containsExactly(SET_OWNER);
  }

  @Test
  void otherController_isTheOnlyOne_ifClaimsAreDeletedAtAll() {
    StatefulSet deleting = set(1, "Retain", "Delete");
    StatefulSet retaining = set(1, "Retain", "Retain");

    assertThat(ClaimOwners.wanted(List.of(SET_OWNER, OTHER), deleting, 0, POD))
        .containsExactly(OTHER);
    assertThat(ClaimOwners.areRight(List.of(OTHER), deleting, 0, POD)).isTrue();
    assertThat(ClaimOwners.hasUnexpectedController(List.of(OTHER), deleting, 0, POD)).isTrue();
    assertThat(ClaimOwners.hasUnexpectedController(List.of(OTHER), retaining, 0, POD)).isFalse();
  }
}
