package dev.keelson.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.aggregation.ApiServices.Origin;
import dev.keelson.aggregation.ApiServices.Snapshot;
import dev.keelson.api.GroupVersion;
import dev.keelson.schema.GroupPriority;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApiServicesTest {

  private static final GroupVersion APPS = new GroupVersion("apps", "v1");
  private static final GroupVersion CUSTOM = new GroupVersion("custom.example.com", "v1");
  private static final GroupVersion OTHER = new GroupVersion("other.example.com", "v1");

  private final ApiServices services = new ApiServices();
  private final AtomicInteger changes = new AtomicInteger();

  private static ApiService local(GroupVersion version, String managed, boolean available) {
    return new ApiService(
        ApiService.nameOf(version),
        "u",
        "1",
        version,
        GroupPriority.of(version),
        managed,
        null,
        available);
  }

  private Snapshot published() {
    services.publish(
        version ->
            version.equals(APPS)
                ? Origin.BUILT_IN
                : version.equals(CUSTOM) ? Origin.CUSTOM : Origin.NOT_SERVED);
    return services.snapshot();
  }

  @Test
  void usualOnes_changeNothing() {
    services.listen(changes::incrementAndGet);
    services.put(local(APPS, "onstart", true));
    services.put(local(CUSTOM, "true", true));

    assertThat(published()).isSameAs(Snapshot.LOCAL);
    assertThat(changes).hasValue(0);
  }

  @Test
  void deletedOne_ofABuiltInGroupVersion_isUnregisteredUntilItComesBack() {
    services.put(local(APPS, "onstart", true));
    services.put(local(CUSTOM, "true", true));
    published();
    services.remove(ApiService.nameOf(APPS));
    services.remove(ApiService.nameOf(CUSTOM));
    services.remove("v1.never.example.com");

    assertThat(published().unregistered()).containsExactly(APPS);

    services.put(local(APPS, "onstart", true));
    assertThat(published().unregistered()).isEmpty();
  }

  @Test
  void thoseThatAreReadAgain_areNotDeleted_othersAre() {
    services.put(local(APPS, "onstart", true));
    published();
    services.clear();
    services.put(local(APPS, "onstart", true));
    assertThat(published().unregistered()).isEmpty();

    services.clear();

    assertThat(published().unregistered()).containsExactly(APPS);
  }

  @Test
  void beforeTheFirstStart_nothingIsUnregistered() {
    assertThat(published().unregistered()).isEmpty();
  }

  @Test
  void thoseOfUsers_forWhatNobodyServes_areUnserved() {
    services.put(local(OTHER, "", true));
    assertThat(published().unserved()).containsExactly(OTHER);

    // these are about to go
    services.put(local(OTHER, "true", true));
    assertThat(published().unserved()).isEmpty();
  }

  @Test
  void localOnes_thatAreNotAvailable_areUnmarked() {
    services.put(local(APPS, "", false));

    assertThat(published().unmarked()).containsExactly("v1.apps");
  }

  @Test
  void remoteOne_hasItsPriority_alsoInAggregatedDiscovery() {
    GroupPriority first = new GroupPriority(19_000, 5);
    services.put(
        new ApiService(
            "v1.other.example.com",
            "u",
            "1",
            OTHER,
            first,
            "",
            new Backend("n", "s", 443, "", true),
            true));
    services.put(
        new ApiService("v1.apps", "u", "1", APPS, new GroupPriority(7, 7), "", null, true));

    Snapshot snapshot = published();

    assertThat(snapshot.priority(OTHER)).isEqualTo(first);
    assertThat(snapshot.servedPriority(OTHER)).isEqualTo(first);
    assertThat(snapshot.priority(APPS)).isEqualTo(new GroupPriority(7, 7));
    assertThat(snapshot.servedPriority(APPS)).isEqualTo(GroupPriority.of(APPS));
  }
}
